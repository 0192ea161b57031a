import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcceptServer } from '../../accept/accept-server.tsx'
import { activity } from '../../host/activity.ts'
import { catalogueQuery, serversQuery } from '../../host/queries.ts'
import { useStore } from '../../host/store.ts'
import { CallCurves } from '../../parts/call-curves.tsx'
import { Code } from '../../parts/code.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Halves } from '../../parts/halves.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { Screen } from '../../shell/screen.tsx'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { ProcessTree } from './process-tree.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerLog } from './server-log.tsx'
import { ServerOffers } from './server-offers.tsx'
import { ServerSaid } from './server-said.tsx'
import { ServerState } from './server-state.tsx'
import { useToolCounts } from './use-tool-counts.ts'

/** One server: how it is, what it runs, what it says of itself and what it wrote. */
export function ServerScreen() {
  const { name } = useParams({ from: '/servers/$name' })
  const { data, isPending } = useQuery(serversQuery)
  const entries = useQuery(catalogueQuery).data?.items.filter(({ server }) => server === name) ?? []
  const { lines: all } = useStore(activity)
  const lines = useMemo(() => all.filter(({ line }) => line.server === name), [all, name])
  const server = data?.items.find((one) => one.name === name)
  useToolCounts(server?.callsIn30Days)
  if (!server) {
    return (
      <Screen title={name}>
        {!isPending && (
          <Empty title={`There is no server "${name}"`}>It may have been taken out of the configuration.</Empty>
        )}
      </Screen>
    )
  }
  const { state, why, since, starts, pid, calls, command, commandHash, isAccepted, source, tokens, callsIn30Days } =
    server
  return (
    <Screen title={name} about={<Said text={why} />} actions={<ServerActions server={server} />}>
      {!isAccepted && (
        <Panel title="Not accepted yet">
          <p>Nothing runs before you accept this, exactly as it stands here:</p>
          <Code text={command} label="command" />
          <AcceptServer server={name} commandHash={commandHash} />
        </Panel>
      )}
      <Halves>
        <Panel title="State">
          <Facts>
            <dt>State</dt>
            <dd>
              <ServerState state={state} /> {since > 0 && <Time at={since} />}
            </dd>
            {state === 'ready' && (
              <>
                <dt>Uptime</dt>
                <dd>
                  <Uptime since={since} />
                </dd>
              </>
            )}
            <dt>Restarts</dt>
            <dd>{Math.max(0, starts - 1)}</dd>
            <dt>Calls under way</dt>
            <dd>{calls}</dd>
            <dt>Calls in 30 days</dt>
            <dd>{callsIn30Days.toLocaleString('en')}</dd>
            <dt>Tokens in each conversation</dt>
            <dd>about {tokens.toLocaleString('en')}</dd>
            {source !== undefined && (
              <>
                <dt>Configured at</dt>
                <dd>
                  <Said text={source} />
                </dd>
              </>
            )}
          </Facts>
          {isAccepted && <Code text={command} label="command" />}
        </Panel>
        <ServerSaid name={server.key} state={state} />
      </Halves>
      <CallCurves lines={lines} />
      {pid !== undefined && <ProcessTree server={server.key} pid={pid} />}
      <ServerOffers entries={entries} />
      <ServerLog name={server.key} />
    </Screen>
  )
}

function Uptime({ since }: { readonly since: number }) {
  const { now } = useEverySecond(since)
  return duration(Math.max(0, now - since))
}
