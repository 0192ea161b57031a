import { Link } from '@tanstack/react-router'
import type { ServerSummary } from '../../host/queries.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { ServerState } from './server-state.tsx'
import styles from './servers.module.css'

/** Every server, with what one wants to know at a glance. */
export function ServerTable({ servers }: { readonly servers: readonly ServerSummary[] }) {
  return (
    <ScrollArea className={styles.table} label="Servers">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col">Since</th>
            <th scope="col" className={styles.number}>
              Restarts
            </th>
            <th scope="col" className={styles.number}>
              Tools
            </th>
            <th scope="col" className={styles.number}>
              Tokens
            </th>
            <th scope="col" className={styles.number}>
              Calls, 30 days
            </th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <Row key={server.name} server={server} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Row({
  server: { name, state, why, since, starts, tools, tokens, callsIn30Days },
}: {
  readonly server: ServerSummary
}) {
  return (
    <tr>
      <td>
        <Link to="/servers/$name" params={{ name }} className={styles.name}>
          {name}
        </Link>
        {why !== state && (
          <div className={styles.why}>
            <Said text={why} oneLine />
          </div>
        )}
      </td>
      <td>
        <ServerState state={state} />
      </td>
      <td>{since > 0 && <Time at={since} />}</td>
      <td className={styles.number}>{Math.max(0, starts - 1)}</td>
      <td className={styles.number}>{tools}</td>
      <td className={styles.number}>{tokens.toLocaleString('en')}</td>
      <td className={styles.number}>{callsIn30Days.toLocaleString('en')}</td>
    </tr>
  )
}
