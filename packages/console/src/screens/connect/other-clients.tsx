import { useQuery } from '@tanstack/react-query'
import { clientsQuery, statusQuery } from '../../host/queries.ts'
import { Code } from '../../parts/code.tsx'
import { Panel } from '../../parts/panel.tsx'
import { prettyJson } from '../../text/json.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './connect.module.css'

const entry = prettyJson({ mcpServers: { trunkline: { command: 'trunkline', args: ['stdio'] } } })

/** Every other program: the address and the command, and who has a token. */
export function OtherClients() {
  const status = useQuery(statusQuery).data
  const clients = useQuery({ ...clientsQuery, staleTime: 0 }).data?.items ?? []
  return (
    <>
      <Panel title="Any other client">
        <p>A client that starts programs:</p>
        <Code text={entry} label="entry" />
        <p>
          A client that connects to an address, with a token from <code>trunkline clients add NAME</code>:
        </p>
        {status && <Code text={status.mcp} label="address" />}
        <p className={styles.faint}>Add /server/NAME to the address for one server under its own tool names.</p>
      </Panel>
      <Panel title="Programs that have a token">
        <table>
          <thead>
            <tr>
              <th scope="col">Program</th>
              <th scope="col">May answer questions</th>
              <th scope="col">Last used</th>
            </tr>
          </thead>
          <tbody>
            {clients.map(({ name, isApprover, usedAt }) => (
              <tr key={name}>
                <td>
                  <Said text={name} />
                </td>
                <td>{isApprover ? 'yes' : 'no'}</td>
                <td>{usedAt === undefined ? 'never' : <Time at={usedAt} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  )
}
