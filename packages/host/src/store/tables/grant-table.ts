import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ServerName } from '../../act/server-name.ts'
import type { Store } from '../store.ts'

/** The scope of one permission; a project or definition that is missing is empty. */
export interface GrantScopeRow {
  readonly principal: string
  readonly project: string
  readonly server: ServerName
  readonly target: string
  readonly definition: string
}

/** One permission of an answer. */
export interface GrantRow extends GrantScopeRow {
  readonly id: number
  readonly grantedAt: number
  readonly until: number
  /** Milliseconds that every use renews it for. */
  readonly slidingMs: number | undefined
  /** The permissions of one answer share this; empty for those of the first version. */
  readonly answer: string
  readonly question: string | undefined
  readonly choice: string
  /** Hash of the server's program, or `*`. */
  readonly command: string
}

/** A permission that holds for a scope. */
export type HeldGrant = Pick<GrantRow, 'id' | 'answer' | 'slidingMs' | 'until' | 'question' | 'command'>

/** A permission to add. */
export interface NewGrantRow extends Omit<GrantRow, 'id'> {
  readonly isLocal: boolean
  readonly breadth: number
}

/** Narrows which permissions are found. */
export interface GrantCondition {
  readonly now: number
  readonly localOnly: boolean
  readonly maxBreadth: number
}

/** Permissions that hold for a while. */
export class GrantTable {
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #slide: StatementSync
  readonly #insert: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#find = database.prepare(
      `SELECT id, answer, sliding_ms, until, question, command FROM inbox_grant
       WHERE principal = ? AND project IN (?, '*') AND server = ? AND target IN (?, '*') AND definition IN (?, '*')
       AND granted_at <= ? AND until > ? AND local >= ? AND breadth <= ?`,
    )
    // the permissions of one answer end together
    this.#slide = database.prepare("UPDATE inbox_grant SET until = ? WHERE id = ? OR (answer = ? AND answer <> '')")
    this.#insert = database.prepare(
      `INSERT INTO inbox_grant (principal, project, server, target, definition, granted_at, until, sliding_ms, local,
       answer, question, choice, command, breadth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  /** Permissions for a scope that hold now. */
  find(scope: GrantScopeRow, { now, localOnly, maxBreadth }: GrantCondition): readonly HeldGrant[] {
    const { principal, project, server, target, definition } = scope
    const what = [principal, project, server, target, definition]
    return this.#find.all(...what, now, now, localOnly ? 1 : 0, maxBreadth).map(heldIn)
  }

  /** All permissions that hold now, oldest first. */
  all(now: number): readonly GrantRow[] {
    const sql = 'SELECT * FROM inbox_grant WHERE granted_at <= ? AND until > ? ORDER BY id'
    return this.#database.prepare(sql).all(now, now).map(grantIn)
  }

  insert(grant: NewGrantRow): void {
    const { principal, project, server, target, definition, grantedAt, until } = grant
    const { slidingMs = null, isLocal, answer, question = null, choice, command, breadth } = grant
    const what = [principal, project, server, target, definition, grantedAt, until]
    this.#insert.run(...what, slidingMs, isLocal ? 1 : 0, answer, question, choice, command, breadth)
  }

  /** Lets a permission end later, with all others of its answer. */
  extend({ id, answer }: Pick<GrantRow, 'id' | 'answer'>, until: number): void {
    this.#slide.run(until, id, answer)
  }

  removeExpired(now: number): void {
    this.#database.prepare('DELETE FROM inbox_grant WHERE until <= ?').run(now)
  }

  /** Removes the oldest beyond a number. */
  keepNewest(most: number): void {
    this.#database
      .prepare('DELETE FROM inbox_grant WHERE id <= (SELECT id FROM inbox_grant ORDER BY id DESC LIMIT 1 OFFSET ?)')
      .run(most)
  }

  /** Removes the permissions of one answer, of a principal, of a server, or all; returns their number. */
  remove(which: {
    readonly answer?: string | undefined
    readonly principal?: string | undefined
    readonly server?: ServerName | undefined
  }): number {
    const { answer = null, principal = null, server = null } = which
    const result = this.#database
      .prepare(
        `DELETE FROM inbox_grant WHERE ($principal IS NULL OR principal = $principal)
         AND ($server IS NULL OR server = $server)
         AND ($answer IS NULL OR answer = $answer OR (answer = '' AND CAST(id AS TEXT) = $answer))`,
      )
      .run({ principal, server, answer })
    return Number(result.changes)
  }
}

type Row = { readonly [column: string]: unknown }

function heldIn({ id, answer, sliding_ms: slidingMs, until, question, command }: Row): HeldGrant {
  return {
    id: Number(id),
    answer: String(answer),
    slidingMs: slidingMs === null ? undefined : Number(slidingMs),
    until: Number(until),
    question: question === null ? undefined : String(question),
    command: String(command),
  }
}

function grantIn(row: Row): GrantRow {
  return {
    ...heldIn(row),
    principal: String(row.principal),
    project: String(row.project),
    server: String(row.server),
    target: String(row.target),
    definition: String(row.definition),
    grantedAt: Number(row.granted_at),
    choice: String(row.choice),
  }
}
