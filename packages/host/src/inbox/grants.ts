import { randomBytes } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'

/** The scope of one permission: a tool of one definition, to one principal in one project. */
export interface GrantScope {
  readonly principalId: string
  readonly project: string | undefined
  readonly server: ServerName
  readonly target: string
  readonly definition: string | undefined
}

/**
 * Distance of a permission from the question the person saw: the tool and the client themselves, the same tool for
 * another client, or another tool.
 */
export const breadths = { asked: 0, client: 1, tool: 2 } as const
export type Breadth = (typeof breadths)[keyof typeof breadths]

/** One of the permissions of a grant. */
export interface GrantedScope extends GrantScope {
  /** @default the tool and the client that were asked about */
  readonly breadth?: Breadth
}

export interface GrantOptions {
  /** Validity, in milliseconds. @default 8 hours */
  readonly holdsMs?: number
  /** True if every use renews it, as for callers without sessions. @default false */
  readonly sliding?: boolean
  /** True if it was given at this machine, not through a caller. @default false */
  readonly isLocal?: boolean
  /** @default 'session' */
  readonly choice?: StoredGrant['choice']
  /** The question that a person answered with it. @default none */
  readonly question?: string | undefined
  /** Hash of the server's program; the grant ends when it changes. @default it does not depend on it */
  readonly command?: string
}

/** Narrows which grants count. */
export interface GrantFilter {
  /** Leaves out grants by answers of a caller. @default false */
  readonly localOnly?: boolean
  /** @default any */
  readonly maxBreadth?: Breadth
  /** Hash of the server's program now; only called if a grant depends on it. @default it is unknown */
  command?(): string
}

/** A grant as it is listed: everything that one answer permits. */
export interface StoredGrant {
  readonly id: string
  readonly choice: 'session' | 'project' | 'trust'
  readonly question: string | undefined
  readonly server: ServerName
  /** Undefined where it holds in no project; `*` in all of them. */
  readonly project: string | undefined
  /** By name, or `*` for every tool. */
  readonly tools: readonly string[]
  readonly principalIds: readonly string[]
  readonly grantedAt: number
  readonly until: number
}

const defaults = { holdsMs: 8 * 3_600_000, sliding: false, isLocal: false, choice: 'session' } as const
/** Permissions that are kept, of all answers; beyond it the oldest end, and are asked about again. */
export const maxGrantedScopes = 20_000
const dayMs = 24 * 3_600_000

/** Answers that hold for a while. They end by time or by a person, never by reconnecting. */
export class Grants {
  readonly #store: Store
  readonly #find: StatementSync
  readonly #slide: StatementSync
  readonly #insert: StatementSync
  readonly #listeners = new Set<() => void>()

  constructor(store: Store) {
    this.#store = store
    this.#find = store.database.prepare(
      `SELECT id, answer, sliding_ms, until, question, command FROM inbox_grant
       WHERE principal = ? AND project IN (?, '*') AND server = ? AND target IN (?, '*') AND definition IN (?, '*')
       AND granted_at <= ? AND until > ? AND local >= ? AND breadth <= ?`,
    )
    // the permissions of one answer end together
    this.#slide = store.database.prepare(
      "UPDATE inbox_grant SET until = ?1 WHERE id = ?2 OR (answer = ?3 AND answer <> '')",
    )
    this.#insert = store.database.prepare(
      `INSERT INTO inbox_grant (principal, project, server, target, definition, granted_at, until, sliding_ms, local,
       answer, question, choice, command, breadth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  /** Calls back when something more is permitted, until the returned function is called. */
  onGranted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Permits something for a while: one thing, or everything that one answer covers. */
  async grant(scopes: GrantedScope | readonly GrantedScope[], options: GrantOptions = {}): Promise<void> {
    const { holdsMs, sliding, isLocal, choice } = { ...defaults, ...options }
    const { question = null, command = '*' } = options
    const now = Date.now()
    const answer = randomBytes(6).toString('hex')
    await this.#store.durable(() => {
      this.#store.database.prepare('DELETE FROM inbox_grant WHERE until <= ?').run(now)
      for (const scope of [scopes].flat()) {
        const { principalId, project = '', server, target, definition = '', breadth = breadths.asked } = scope
        const what = [principalId, project, server, target, definition, now, now + holdsMs]
        const how = [sliding ? holdsMs : null, isLocal ? 1 : 0, answer, question, choice, command, breadth]
        this.#insert.run(...what, ...how)
      }
      this.#store.database
        .prepare('DELETE FROM inbox_grant WHERE id <= (SELECT id FROM inbox_grant ORDER BY id DESC LIMIT 1 OFFSET ?)')
        .run(maxGrantedScopes)
    })
    for (const listener of this.#listeners) listener()
  }

  /** True when something is permitted at the moment. */
  permits(scope: GrantScope, filter: GrantFilter = {}): boolean {
    return this.find(scope, filter) !== undefined
  }

  /** The grant that permits something at the moment, with the question that a person answered with it. */
  find(scope: GrantScope, filter: GrantFilter = {}): { readonly question: string | undefined } | undefined {
    const { localOnly = false, maxBreadth = breadths.tool, command } = filter
    const { principalId, project = '', server, target, definition = '' } = scope
    const now = Date.now()
    const what = [principalId, project, server, target, definition]
    const rows = this.#find.all(...what, now, now, localOnly ? 1 : 0, maxBreadth)
    const row = rows.find((one) => one.command === '*' || one.command === command?.())
    if (!row) return undefined
    if (row.sliding_ms !== null) this.#extend(row, now)
    return { question: row.question === null ? undefined : String(row.question) }
  }

  /** Grants that hold at the moment, one for each answer, newest first. */
  all(): readonly StoredGrant[] {
    const now = Date.now()
    const rows = this.#store.database
      .prepare('SELECT * FROM inbox_grant WHERE granted_at <= ? AND until > ? ORDER BY id')
      .all(now, now)
    const answers = new Map<string, typeof rows>()
    for (const row of rows) {
      const key = row.answer === '' ? String(row.id) : String(row.answer)
      const same = answers.get(key)
      if (same) same.push(row)
      else answers.set(key, [row])
    }
    return [...answers].map(([id, of]) => storedGrant(id, of)).reverse()
  }

  /** Revokes the grants of one answer, of a principal, of a server, or all; returns their number. */
  async revoke(
    which: { readonly id?: string; readonly principalId?: string; readonly server?: ServerName } = {},
  ): Promise<number> {
    const { id = null, principalId = null, server = null } = which
    let removed = 0
    await this.#store.durable(() => {
      const result = this.#store.database
        .prepare(
          `DELETE FROM inbox_grant WHERE (?1 IS NULL OR principal = ?1) AND (?2 IS NULL OR server = ?2)
           AND (?3 IS NULL OR answer = ?3 OR (answer = '' AND CAST(id AS TEXT) = ?3))`,
        )
        .run(principalId, server, id)
      removed = Number(result.changes)
    })
    return removed
  }

  /** Renews a grant on use; one for days is written once a day, not with every call. */
  #extend({ id, answer, until, sliding_ms }: { readonly [column: string]: unknown }, now: number): void {
    const [holdsMs, next] = [Number(sliding_ms), now + Number(sliding_ms)]
    if (holdsMs <= dayMs || next - Number(until) >= dayMs) this.#slide.run(next, Number(id), String(answer))
  }
}

function storedGrant(id: string, rows: readonly { readonly [column: string]: unknown }[]): StoredGrant {
  const [first = {}] = rows
  const all = (column: string) => [...new Set(rows.map((row) => String(row[column])))]
  return {
    id,
    choice: first.target === '*' ? 'trust' : (first.choice as StoredGrant['choice']),
    question: first.question === null ? undefined : String(first.question),
    server: String(first.server),
    project: first.project === '' ? undefined : String(first.project),
    tools: all('target'),
    principalIds: all('principal'),
    grantedAt: Number(first.granted_at),
    until: Math.max(...rows.map(({ until }) => Number(until))),
  }
}
