import type { StatementSync } from 'node:sqlite'
import type { ServerName } from '../config/server-name.ts'
import type { Store } from '../store/store.ts'

/** What "for this session" permits: a tool of one definition, to one principal in one project. */
export interface GrantScope {
  readonly principalId: string
  readonly project: string | undefined
  readonly server: ServerName
  readonly target: string
  readonly definition: string | undefined
}

export interface GrantOptions {
  /** How long it holds, in milliseconds. @default 8 hours */
  readonly holdsMs?: number
  /** Whether every use makes it hold anew, as for callers without sessions. @default false */
  readonly sliding?: boolean
  /** Whether it was given at this machine, not through a caller. @default false */
  readonly isLocal?: boolean
}

const defaults = { holdsMs: 8 * 3_600_000, sliding: false, isLocal: false } as const satisfies GrantOptions

/** Answers that hold for a while. They end by time or by a person, never by reconnecting. */
export class Grants {
  readonly #store: Store
  readonly #find: StatementSync
  readonly #slide: StatementSync

  constructor(store: Store) {
    this.#store = store
    this.#find = store.database.prepare(
      `SELECT id, sliding_ms FROM inbox_grant
       WHERE principal = ? AND project IN (?, '*') AND server = ? AND target IN (?, '*') AND definition IN (?, '*')
       AND granted_at <= ? AND until > ? AND local >= ? LIMIT 1`,
    )
    this.#slide = store.database.prepare('UPDATE inbox_grant SET until = ? WHERE id = ?')
  }

  /** Permits something for a while. */
  grant(scope: GrantScope, options: GrantOptions = {}): Promise<void> {
    const { holdsMs, sliding, isLocal } = { ...defaults, ...options }
    const { principalId, project = '', server, target, definition = '' } = scope
    const now = Date.now()
    return this.#store.durable(() => {
      this.#store.database.prepare('DELETE FROM inbox_grant WHERE until <= ?').run(now)
      this.#store.database
        .prepare(
          `INSERT INTO inbox_grant (principal, project, server, target, definition, granted_at, until, sliding_ms, local)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          principalId,
          project,
          server,
          target,
          definition,
          now,
          now + holdsMs,
          sliding ? holdsMs : null,
          isLocal ? 1 : 0,
        )
    })
  }

  /** Whether something is permitted at the moment; `localOnly` leaves out what a caller answered. */
  permits(scope: GrantScope, { localOnly = false }: { readonly localOnly?: boolean } = {}): boolean {
    const { principalId, project = '', server, target, definition = '' } = scope
    const now = Date.now()
    const row = this.#find.get(principalId, project, server, target, definition, now, now, localOnly ? 1 : 0)
    if (!row) return false
    if (row.sliding_ms !== null) this.#slide.run(now + Number(row.sliding_ms), Number(row.id))
    return true
  }

  /** Takes back what was permitted to a principal, about a server, or everything. */
  async revoke(which: { readonly principalId?: string; readonly server?: ServerName } = {}): Promise<number> {
    const { principalId = null, server = null } = which
    let removed = 0
    await this.#store.durable(() => {
      const result = this.#store.database
        .prepare('DELETE FROM inbox_grant WHERE (?1 IS NULL OR principal = ?1) AND (?2 IS NULL OR server = ?2)')
        .run(principalId, server)
      removed = Number(result.changes)
    })
    return removed
  }
}
