import { useShortPaths } from '../../host/home.ts'
import type { ServerSummary } from '../../host/queries.ts'
import { Code } from '../../parts/code.tsx'
import { DescriptionList } from '../../parts/description-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { formatNumber } from '../../text/number.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'

/** Numbers of a server, its cost, and the exact command. */
export function StatePanel({ server }: { readonly server: ServerSummary }) {
  const { state, since, starts, calls, command, isAccepted, sandbox, data, source, tokens, callsIn30Days } = server
  const isProgram = !server.isRemote
  const short = useShortPaths()
  return (
    <Panel title="How it runs">
      <DescriptionList>
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
  const ms = Math.max(0, now - since)
  // whole seconds: it is drawn once a second
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : duration(ms)
}
