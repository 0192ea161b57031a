import { useEffect, useRef } from 'react'
import { callHost } from '../../host/call.ts'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { useRun } from '../../offers/use-run.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Panel } from '../../parts/panel.tsx'
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
    <>
      <Panel
        title="Resource"
        actions={
          <>
            <LiveBadge live={live} />
            <Button size="s" onClick={() => void start({})}>
              Read again
            </Button>
          </>
        }
      >
        <Code text={uri} label="address of the resource" />
      </Panel>
      <RunOutcome run={run} server={server} name={uri} />
    </>
  )
}

function LiveBadge({ live: { isLive, changedAt } }: { readonly live: LiveResource }) {
  return (
    <span role="status">
      {changedAt !== undefined ? (
        <Badge tone="accent">
          renewed <Time at={changedAt} />
        </Badge>
      ) : (
        isLive && <Badge>renews itself</Badge>
      )}
    </span>
  )
}
