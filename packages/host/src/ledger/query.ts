import type { SQLInputValue } from 'node:sqlite'
import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'
import type { ChainedLine, Line, LineKind } from './line.ts'
import { lineBefore } from './time-marks.ts'

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
  /** @default 100, at most 1 000 */
  readonly most?: number
}

const columns = ['server', 'target', 'principal', 'act', 'kind', 'outcome'] as const
const maxLines = 1_000

/** Lines of the ledger, newest first. */
export function queryLedger({ database }: Store, filter: LedgerFilter = {}): readonly ChainedLine[] {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  const add = (condition: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  for (const column of columns) add(`${column} = ?`, filter[column])
  add('at >= ?', filter.since)
  add('number > ?', filter.since === undefined ? undefined : lineBefore(database, filter.since))
  add('at <= ?', filter.until)
  add('number < ?', filter.before)
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const most = Math.min(Math.max(1, filter.most ?? 100), maxLines)
  const rows = database
    .prepare(`SELECT number, at, text, previous, hash FROM ledger_line ${where} ORDER BY number DESC LIMIT ?`)
    .all(...values, most)
  return rows.map(({ number, at, text, previous, hash }) => ({
    number: Number(number),
    at: Number(at),
    line: JSON.parse(String(text)) as Line,
    previous: String(previous),
    hash: String(hash),
  }))
}

/** Calls of each tool since a time, by server and target; refused calls do not count. */
export function callsSince({ database }: Store, since: number): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const rows = database
    .prepare(
      `SELECT server, target, count(*) AS calls FROM ledger_line
       WHERE number > ? AND at >= ? AND kind = 'ended' AND act_kind = 'call' AND server IS NOT NULL AND target IS NOT NULL GROUP BY server, target`,
    )
    .all(lineBefore(database, since), since)
  const servers = new Map<string, Map<string, number>>()
  for (const { server, target, calls } of rows) {
    const tools = servers.get(String(server)) ?? new Map<string, number>()
    tools.set(String(target), Number(calls))
    servers.set(String(server), tools)
  }
  return servers
}
