import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The table of processes that called. */
export const processTables: Migrations = {
  room: 'processes',
  steps: [
    `CREATE TABLE caller_process (
       boot TEXT NOT NULL,
       pid INTEGER NOT NULL,
       started_at TEXT NOT NULL,
       principal TEXT NOT NULL,
       name TEXT NOT NULL,
       leads_group INTEGER NOT NULL,
       leads_session INTEGER NOT NULL,
       seen_at INTEGER NOT NULL,
       PRIMARY KEY (boot, pid, started_at, principal)
     ) STRICT`,
  ],
}

/** A process that called as a principal. */
export interface CallerProcessRow {
  readonly pid: number
  readonly startedAt: string
  /** The principal that it called as. */
  readonly principal: string
  /** The program's name. */
  readonly name: string
  readonly leadsGroup: boolean
  readonly leadsSession: boolean
  readonly seenAt: number
}

/** The processes that called. */
export class CallerProcessTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** Every process, the one seen longest ago first. */
  all(): readonly CallerProcessRow[] {
    return this.#database.prepare('SELECT * FROM caller_process ORDER BY seen_at').all().map(processIn)
  }

  put(boot: string, processes: readonly CallerProcessRow[]): void {
    const add = this.#database.prepare('INSERT OR REPLACE INTO caller_process VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    for (const { pid, startedAt, principal, name, leadsGroup, leadsSession, seenAt } of processes) {
      add.run(boot, pid, startedAt, principal, name, Number(leadsGroup), Number(leadsSession), seenAt)
    }
  }

  remove(processes: readonly Pick<CallerProcessRow, 'pid' | 'startedAt' | 'principal'>[]): void {
    const drop = this.#database.prepare('DELETE FROM caller_process WHERE pid = ? AND started_at = ? AND principal = ?')
    for (const { pid, startedAt, principal } of processes) drop.run(pid, startedAt, principal)
  }

  /** Keeps only processes of this boot that were seen since a time. */
  keepOnly(boot: string, seenSince: number): void {
    this.#database.prepare('DELETE FROM caller_process WHERE boot <> ? OR seen_at < ?').run(boot, seenSince)
  }
}

function processIn(row: { readonly [column: string]: unknown }): CallerProcessRow {
  return {
    pid: Number(row.pid),
    startedAt: String(row.started_at),
    principal: String(row.principal),
    name: String(row.name),
    leadsGroup: row.leads_group === 1,
    leadsSession: row.leads_session === 1,
    seenAt: Number(row.seen_at),
  }
}
