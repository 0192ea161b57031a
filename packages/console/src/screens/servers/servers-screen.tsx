import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AcceptServers } from '../../accept/accept-servers.tsx'
import { type HostStatus, type ServerSummary, serversQuery, statusQuery } from '../../host/queries.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { healthInWords } from '../../parts/server-health.ts'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { formatNumber } from '../../text/number.ts'
import { Said } from '../../text/said.tsx'
import { ConfigProblems } from './config-problems.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ServerTable } from './server-table.tsx'
import { useStartQuestions } from './use-start-questions.ts'

/** Is everything well? What does it cost, and what is not used? */
export function ServersScreen() {
  const { data, error, isPending } = useQuery(serversQuery)
  const status = useQuery(statusQuery).data
  const servers = data?.items ?? []
  // a host of an earlier version does not say which are disabled
  const disabled = data?.disabled ?? []
  const waiting = servers.filter(({ isAccepted: isSo, needs }) => !isSo && needs === undefined)
  const isFirstRun = isFirst(servers)
  // rows of servers that never ran are zeros
  const rows = isFirstRun ? servers.filter(({ isAccepted, needs }) => isAccepted || needs !== undefined) : servers
  useStartQuestions(waiting.map(({ name }) => name))
  const tokens = servers.reduce((sum, server) => sum + server.tokens, 0)
  return (
    <Screen
      title="Servers"
      about={isPending ? 'Looking' : summaryOf(servers, tokens)}
      actions={<LinkButton to="/servers/add">Add a server</LinkButton>}
    >
      <Failure error={error} />
      {status && <ConfigProblems status={status} />}
      {isFirstRun ? (
        <FirstSteps servers={servers} />
      ) : (
        waiting.length > 1 && (
          <Panel title={`${waiting.length} servers wait for you`}>
            <AcceptServers servers={waiting} />
          </Panel>
        )
      )}
      {rows.length + disabled.length > 0 && <ServerTable servers={rows} disabled={disabled} />}
      {!isPending && disabled.length === 0 && servers.every(({ source }) => source?.startsWith('built in')) && (
        <Empty title="No server of yours is configured yet">
          <Link to="/servers/add">Add one</Link>, or take over what your editors have: you see each command before
          anything runs.
        </Empty>
      )}
      {status && <FoundElsewhere found={status.found} />}
    </Screen>
  )
}

const dayMs = 86_400_000

/** True until a tool was called, in the first day after a server was accepted. */
function isFirst(servers: readonly ServerSummary[]): boolean {
  const own = servers.filter(({ source }) => !source?.startsWith('built in'))
  const since = Date.now() - dayMs
  return (
    own.length > 0 && own.every(({ callsIn30Days, acceptedAt = since }) => callsIn30Days === 0 && acceptedAt >= since)
  )
}

function summaryOf(servers: readonly ServerSummary[], tokens: number): string {
  const cost = tokens === 0 ? '' : ` Their tools take about ${formatNumber(tokens)} tokens of each conversation.`
  return `${healthInWords(servers)}.${cost}`
}

/** Servers found in other clients on this machine, while none is configured here. */
function FoundElsewhere({ found }: { readonly found: HostStatus['found'] }) {
  if (found.length === 0) return null
  return (
    <Panel title="Your editors have servers">
      <p>
        <Link to="/servers/add">Look at them and take them over</Link>, or do it in the terminal with{' '}
        <code>trunkline init</code>.
      </p>
      <ul>
        {found.map(({ name, client, file }) => (
          <li key={`${client} ${name}`}>
            <Said text={name} /> of {client} (<Said text={file} />)
          </li>
        ))}
      </ul>
    </Panel>
  )
}
