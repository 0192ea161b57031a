import { useShortPaths } from '../../host/home.ts'
import type { ServerSummary } from '../../host/queries.ts'
import { Code } from '../../parts/code.tsx'
import { DescriptionList } from '../../parts/description-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { formatNumber } from '../../text/number.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { ServerState } from './server-state.tsx'

/** State of a server, its cost, and the exact command. */
export function StatePanel({ server }: { readonly server: ServerSummary }) {
  const { state, since, starts, calls, command, isAccepted, sandbox, data, source, tokens, callsIn30Days, failedAt } =
    server
  const isProgram = !server.isRemote
  const short = useShortPaths()
  return (
    <Panel title="State">
      <DescriptionList>
        <dt>State</dt>
        <dd>
          <ServerState state={failedAt === undefined ? state : 'failed'} />{' '}
          {since > 0 && <Time at={failedAt ?? since} />}
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
        <dd>{formatNumber(callsIn30Days)}</dd>
        <dt>Tokens per conversation</dt>
        <dd>about {formatNumber(tokens)}</dd>
        {isProgram && server.needs === undefined && (
          <>
            <dt>Isolation</dt>
            <dd>
              <Said text={short(sandbox ?? 'none: it runs with your rights')} />
            </dd>
          </>
        )}
        {data !== undefined && (
          <>
            <dt>Data</dt>
            <dd>{data}</dd>
          </>
        )}
        {source !== undefined && (
          <>
            <dt>Configured at</dt>
            <dd>
              <Said text={short(source)} />
            </dd>
          </>
        )}
      </DescriptionList>
      {isAccepted && <Code text={command} label="command" />}
    </Panel>
  )
}

function Uptime({ since }: { readonly since: number }) {
  const { now } = useEverySecond(since)
  return duration(Math.max(0, now - since))
}
