import { Link } from '@tanstack/react-router'
import { activity } from '../../host/activity.ts'
import type { SettledQuestion } from '../../host/settled.ts'
import { useStore } from '../../host/store.ts'
import { Panel } from '../../parts/panel.tsx'
import { longWords } from '../../questions/question-words.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { settledWords } from './settled-words.ts'

/** A question that waits no more: what became of it, and of the call it was about. */
export function SettledDetail({ settled }: { readonly settled: SettledQuestion }) {
  const { question, at } = settled
  const { act } = question.detail
  const { lines } = useStore(activity)
  return (
    <Panel title={<Said text={longWords(question)} oneLine />}>
      <p role="status">
        Settled <Time at={at} />: <Said text={settledWords(settled, lines)} />
      </p>
      {typeof act === 'string' && (
        <p>
          <Link to="/activity/$act" params={{ act }}>
            See the call
          </Link>
        </p>
      )}
    </Panel>
  )
}
