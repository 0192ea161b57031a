import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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
import { ServerTable } from './server-table.tsx'

/** Is everything well? What does it cost, and what is not used? */
export function ServersScreen() {
  const { data, error, isPending } = useQuery(serversQuery)
  const status = useQuery(statusQuery).data
  const servers = data?.items ?? []
  // a host of an earlier version does not say which are disabled
  const disabled = data?.disabled ?? []
  const tokens = servers.reduce((sum, server) => sum + server.tokens, 0)
  return (
    <Screen
      title="Servers"
      about={isPending ? 'Looking' : summaryOf(servers, tokens)}
      actions={<LinkButton to="/servers/add">Add a server</LinkButton>}
    >
      <Failure error={error} />
      {status && <ConfigProblems status={status} />}
      {servers.length + disabled.length > 0 && <ServerTable servers={servers} disabled={disabled} />}
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

function summaryOf(servers: readonly ServerSummary[], tokens: number): string {
  return `${healthInWords(servers)}. Their tools take about ${formatNumber(tokens)} tokens of each conversation.`
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
