import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { activity } from '../../host/activity.ts'
import type { ChainedLine, DisabledSummary, ServerSummary } from '../../host/queries.ts'
import { useStore } from '../../host/store.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { useEverySecond } from '../../parts/use-every-second.ts'
import { formatNumber } from '../../text/number.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import { ServerState } from './server-state.tsx'
import styles from './servers.module.css'

interface ServerTableProps {
  readonly servers: readonly ServerSummary[]
  readonly disabled: readonly DisabledSummary[]
}

/** Every server, with what one wants to know at a glance. */
export function ServerTable({ servers, disabled }: ServerTableProps) {
  const { value: lines, now } = useEverySecond(useStore(activity).lines)
  const byServer = useMemo(() => byServerName(lines), [lines])
  return (
    <ScrollArea className={styles.table} label="Servers">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col" className={styles.more}>
              Since
            </th>
            <th scope="col" className={styles.more}>
              Calls, failures
            </th>
            <th scope="col" className={`${styles.number} ${styles.more}`}>
              Restarts
            </th>
            <th scope="col" className={styles.number}>
              Tools
            </th>
            <th scope="col" className={`${styles.number} ${styles.more}`}>
              Tokens
            </th>
            <th scope="col" className={`${styles.number} ${styles.more}`}>
              Calls, 30 days
            </th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <Row key={server.key} server={server} lines={byServer.get(server.name) ?? none} now={now} />
          ))}
          {disabled.map((server) => (
            <DisabledRow key={`${server.name} ${server.source}`} server={server} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const none: readonly ChainedLine[] = []

interface RowProps {
  readonly server: ServerSummary
  readonly lines: readonly ChainedLine[]
  readonly now: number
}

function Row({ server, lines, now }: RowProps) {
  const { name, state, why, since, starts, tools, tokens, callsIn30Days, isAccepted, needs, failedAt } = server
  return (
    <tr>
      <td>
        <Link to="/servers/$name" params={{ name }} className={styles.name}>
          {name}
        </Link>
        <div className={styles.why}>
          {isAccepted || needs !== undefined ? (
            why !== state && <Said text={why.replaceAll(/\s*\n\s*/g, ' ')} oneLine />
          ) : (
            <Link to="/servers/$name" params={{ name }}>
              Look at what it runs, and accept it
            </Link>
          )}
        </div>
      </td>
      <td>
        <ServerState state={failedAt === undefined ? state : 'failed'} />
      </td>
      <td className={styles.more}>{since > 0 && <Time at={failedAt ?? since} />}</td>
      <td className={`${styles.more} ${styles.curve}`}>
        <Sparkline lines={lines} now={now} />
      </td>
      <td className={`${styles.number} ${styles.more}`}>{Math.max(0, starts - 1)}</td>
      <td className={styles.number}>{tools}</td>
      <td className={`${styles.number} ${styles.more}`}>{formatNumber(tokens)}</td>
      <td className={`${styles.number} ${styles.more}`}>{formatNumber(callsIn30Days)}</td>
    </tr>
  )
}

/** A server that is not started: its entry says so, and nothing else is known of it. */
function DisabledRow({ server: { name, source } }: { readonly server: DisabledSummary }) {
  return (
    <tr>
      <td>
        <Link to="/servers/$name" params={{ name }} className={styles.name}>
          {name}
        </Link>
        <div className={styles.why}>
          <Said text={`Its entry at ${source} has "disabled": true`} oneLine />
        </div>
      </td>
      <td>
        <ServerState state="disabled" />
      </td>
      <td className={styles.more} colSpan={3} />
      <td />
      <td className={styles.more} colSpan={2} />
    </tr>
  )
}

function byServerName(lines: readonly ChainedLine[]): ReadonlyMap<string, readonly ChainedLine[]> {
  const groups = new Map<string, ChainedLine[]>()
  for (const one of lines) {
    const name = one.line.server ?? ''
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return groups
}
