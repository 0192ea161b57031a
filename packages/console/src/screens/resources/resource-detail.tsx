import { type ReactNode, useEffect, useRef } from 'react'
import { callHost } from '../../host/call.ts'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { type RunState, useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { base64Size } from '../../text/base64.ts'
import { formatBytes } from '../../text/number.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { noteOpened } from './new-resources.ts'
import { type LiveResource, useLiveResource } from './use-live-resource.ts'

/** One resource, read when it is opened, again once it is watched, and whenever it changes. */
export function ResourceDetail({ server, uri }: { readonly server: string; readonly uri: string }) {
  const { run, start } = useRun(`resource ${server} ${uri}`, (_id, _input, signal) =>
    callHost('readResource', { server, uri }, { signal }),
  )
  const live = useLiveResource(server, uri)
  const read = useRef(start)
  read.current = start
  // biome-ignore lint/correctness/useExhaustiveDependencies: another resource, or a changed one, is read anew, and one that may have changed before it was watched
  useEffect(() => void read.current({}), [server, uri, live.isWatched, live.changedAt])
  useEffect(() => noteOpened(server, uri), [server, uri])
  return (
    <DetailView
      title={<Said text={uri} oneLine />}
      facts={[...contentFacts(run), <Said key="server" text={server} oneLine />, liveWords(live)]}
      actions={
        <>
          <CopyButton text={uri} label="Copy address of the resource">
            Copy address
          </CopyButton>
          <Button size="s" onClick={() => void start({})}>
            Read again
          </Button>
        </>
      }
    >
      <RunOutcome run={run} server={server} name={uri} of={uri} />
    </DetailView>
  )
}

/** Type and size of what was read. */
function contentFacts(run: RunState): readonly ReactNode[] {
  const contents = run.state === 'done' ? run.answer.result?.contents : undefined
  const [first] = (Array.isArray(contents) ? contents : []) as readonly {
    readonly mimeType?: unknown
    readonly text?: unknown
    readonly blob?: unknown
  }[]
  if (!first) return []
  const { mimeType, text, blob } = first
  const size = typeof blob === 'string' ? base64Size(blob) : new TextEncoder().encode(String(text ?? '')).length
  return [typeof mimeType === 'string' && <Said key="type" text={mimeType} oneLine />, formatBytes(size)]
}

function liveWords({ isLive, changedAt }: LiveResource): ReactNode {
  return (
    <span key="live" role="status">
      {changedAt !== undefined ? (
        <>
          renewed <Time at={changedAt} />
        </>
      ) : isLive ? (
        'renews itself'
      ) : (
        'read when opened'
      )}
    </span>
  )
}
