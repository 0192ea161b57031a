import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The tables of data that principals have read, and of sends that a person allowed all the same. */
export const taintTables: Migrations = {
  room: 'taint',
  steps: [
    `CREATE TABLE taint_source (
       principal TEXT NOT NULL,
       project TEXT NOT NULL,
       server TEXT NOT NULL,
       data TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (principal, project, server)
     ) STRICT;
     CREATE TABLE taint_passed (
       principal TEXT NOT NULL,
       project TEXT NOT NULL,
       source TEXT NOT NULL,
       target TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (principal, project, source, target)
     ) STRICT`,
    `CREATE TABLE taint_heir (
       heir TEXT NOT NULL,
       ancestor TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (heir, ancestor)
     ) STRICT`,
  ],
}

/** Data that a principal has read from a server in a project. */
export interface TaintSourceRow {
  readonly principal: string
  /** Empty where there is none. */
  readonly project: string
  readonly server: ServerKey
  /** Mark of the data. */
  readonly data: string
  /** Time of the last reading. */
  readonly at: number
}

/** A send that a person allowed after data were read. */
export interface TaintPassedRow {
  readonly principal: string
  readonly project: string
  /** The server that was read from. */
  readonly source: string
  readonly target: string
}

/** Data that principals have read, and sends that a person allowed all the same. */
export class TaintTable {
  readonly #database: DatabaseSync
  readonly #isPassed: StatementSync
  readonly #insert: StatementSync
  readonly #forgetSources: StatementSync
  readonly #forgetPassed: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#isPassed = database.prepare(
      'SELECT 1 FROM taint_passed WHERE principal = ? AND project = ? AND source = ? AND target = ? AND at > ?',
    )
    this.#insert = database.prepare(
      'INSERT OR REPLACE INTO taint_source (principal, project, server, data, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#forgetSources = database.prepare('DELETE FROM taint_source WHERE at <= ?')
    this.#forgetPassed = database.prepare('DELETE FROM taint_passed WHERE at <= ?')
  }

  /** All data that were read, first noted first. */
  sources(): readonly TaintSourceRow[] {
    return this.#database.prepare('SELECT * FROM taint_source').all().map(sourceIn)
  }

  /** Data that were read after a time, by principal and project. */
  sourcesSince(time: number): readonly TaintSourceRow[] {
    const sql = 'SELECT * FROM taint_source WHERE at > ? ORDER BY principal, project, at'
    return this.#database.prepare(sql).all(time).map(sourceIn)
  }

  note({ principal, project, server, data, at }: TaintSourceRow): void {
    this.#insert.run(principal, project, server, data, at)
  }

  pass({ principal, project, source, target }: TaintPassedRow, at: number): void {
    const sql = 'INSERT OR REPLACE INTO taint_passed (principal, project, source, target, at) VALUES (?, ?, ?, ?, ?)'
    this.#database.prepare(sql).run(principal, project, source, target, at)
  }

  /** True if a person allowed a send after a time. */
  isPassed({ principal, project, source, target }: TaintPassedRow, since: number): boolean {
    return this.#isPassed.get(principal, project, source, target, since) !== undefined
  }

  /** Removes both up to a time. */
  forgetUpTo(time: number): void {
    this.#forgetSources.run(time)
    this.#forgetPassed.run(time)
  }

  /** Removes both of one principal or of all; returns the number of removed sources. */
  remove(principal: string | undefined): number {
    const which = 'WHERE $principal IS NULL OR principal = $principal'
    const given = { principal: principal ?? null }
    const removed = this.#database.prepare(`DELETE FROM taint_source ${which}`).run(given).changes
    this.#database.prepare(`DELETE FROM taint_passed ${which}`).run(given)
    return Number(removed)
  }
}

function sourceIn({ principal, project, server, data, at }: { readonly [column: string]: unknown }): TaintSourceRow {
  return {
    principal: String(principal),
    project: String(project),
    server: String(server),
    data: String(data),
    at: Number(at),
  }
}

/** A principal whose process was started by one of another principal. */
export interface TaintHeirRow {
  readonly heir: string
  readonly ancestor: string
  readonly at: number
}

/** Inheritance of taints between principals. */
export class TaintHeirTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  all(): readonly TaintHeirRow[] {
    const rows = this.#database.prepare('SELECT * FROM taint_heir').all()
    return rows.map(({ heir, ancestor, at }) => ({ heir: String(heir), ancestor: String(ancestor), at: Number(at) }))
  }

  put({ heir, ancestor, at }: TaintHeirRow): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO taint_heir (heir, ancestor, at) VALUES (?, ?, ?)')
      .run(heir, ancestor, at)
  }

  /** Removes links up to a time, and the oldest beyond a number. */
  prune(upTo: number, most: number): void {
    this.#database.prepare('DELETE FROM taint_heir WHERE at <= ?').run(upTo)
    const kept = 'SELECT rowid FROM taint_heir ORDER BY at DESC, rowid DESC LIMIT ?'
    this.#database.prepare(`DELETE FROM taint_heir WHERE rowid NOT IN (${kept})`).run(most)
  }

  /** Removes the links of one heir, or all. */
  remove(heir: string | undefined): void {
    this.#database.prepare('DELETE FROM taint_heir WHERE $heir IS NULL OR heir = $heir').run({ heir: heir ?? null })
  }
}
