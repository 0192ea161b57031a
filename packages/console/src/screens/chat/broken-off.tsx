import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'
import type { ModelRow } from './rows.ts'

const words: { readonly [stop: string]: string } = {
  stopped: 'You stopped it here.',
  length: 'The answer is as long as it may be, and ends here. Say "go on" for the rest.',
  filtered: 'The provider kept the rest of the answer back.',
}

/** Reason why an answer is incomplete, and the next step. */
export function BrokenOff({
  entry: { stop, failure },
  onAgain,
}: {
  readonly entry: ModelRow['entry']
  onAgain?(): void
}) {
  const said = failure?.message ?? (Object.hasOwn(words, stop) ? words[stop] : undefined)
  if (said === undefined) return null
  return (
    <Notice tone={failure ? 'bad' : 'plain'}>
      <Said text={said} />{' '}
      {onAgain && (
        <Button size="s" onClick={onAgain}>
          Send the message again
        </Button>
      )}
    </Notice>
  )
}
