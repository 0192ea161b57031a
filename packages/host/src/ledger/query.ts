import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'
import { type LedgerLineRow, LedgerLineTable } from '../store/tables/ledger-line-table.ts'
import { TimeMarkTable } from '../store/tables/time-mark-table.ts'
import type { ChainedLine, Line, LineKind } from './line.ts'

/** Filter of ledger lines; a missing member matches all. */
export interface LedgerFilter {
  readonly server?: ServerName
  readonly target?: string
  readonly principal?: string
  readonly act?: string
  readonly kind?: LineKind
  readonly outcome?: string
  /** From this time on, as in `Date.now()`. */
  readonly since?: number
  readonly until?: number
  /** Only lines before this number, to page through older ones. */
  readonly before?: number
  /** Only these lines. */
  readonly among?: readonly number[]
  /** @default 100, at most 1 000 */
  readonly most?: number
}

const maxLines = 1_000

/** Lines of the ledger, newest first. */
export function queryLedger(store: Store, filter: LedgerFilter = {}): readonly ChainedLine[] {
  const { most: wanted = 100, ...which } = filter
  const most = Math.min(Math.max(1, wanted), maxLines)
  const after = which.since === undefined ? {} : { after: new TimeMarkTable(store).lineBefore(which.since) }
  const rows = new LedgerLineTable(store).find({ ...which, ...after }, most)
  return rows.map(chainedLine)
}

/** A row of the table as a line. */
export function chainedLine({ number, at, text, previous, hash }: LedgerLineRow): ChainedLine {
  return { number, at, line: JSON.parse(text) as Line, previous, hash }
}

/** Calls of each tool since a time, by server and target; refused calls do not count. */
export function callsSince(store: Store, since: number): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const after = new TimeMarkTable(store).lineBefore(since)
  const servers = new Map<string, Map<string, number>>()
  for (const { server, target, calls } of new LedgerLineTable(store).countCalls(since, after)) {
    const tools = servers.get(server) ?? new Map<string, number>()
    tools.set(target, calls)
    servers.set(server, tools)
  }
  return servers
}
