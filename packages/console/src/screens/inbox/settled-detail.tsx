import type { SettledQuestion } from '../../host/settled.ts'
import { Panel } from '../../parts/panel.tsx'
import { longWords } from '../../questions/question-words.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'

/** A question that waits no more. */
export function SettledDetail({ settled: { question, by, at } }: { readonly settled: SettledQuestion }) {
  return (
    <Panel title={<Said text={longWords(question)} oneLine />}>
      <p role="status">
        Settled <Time at={at} />: <Said text={by} />
      </p>
    </Panel>
  )
}
