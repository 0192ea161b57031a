import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Store } from '../store.ts'

/** A program that may call. */
export interface PrincipalRow {
  readonly id: string
  readonly name: string
  readonly isApprover: boolean
  readonly madeAt: number
  /** Last use of its token. */
  readonly usedAt: number | undefined
  /** Last connection without a token. */
  readonly connectedAt: number | undefined
}

/** The programs that may call, and revoked ones; of their tokens only hashes are kept. */
export class PrincipalTable {
  readonly #database: DatabaseSync
  readonly #byToken: StatementSync
  readonly #byId: StatementSync
  readonly #byName: StatementSync

  constructor({ database }: Store) {
    this.#database = database
    this.#byToken = database.prepare('SELECT * FROM principal WHERE token_hash = ? AND revoked_at IS NULL')
    this.#byId = database.prepare('SELECT * FROM principal WHERE id = ? AND revoked_at IS NULL')
    this.#byName = database.prepare('SELECT * FROM principal WHERE name = ? AND revoked_at IS NULL')
  }

  byToken(tokenHash: string): PrincipalRow | undefined {
    return principalIn(this.#byToken.get(tokenHash))
  }

  byId(id: string): PrincipalRow | undefined {
    return principalIn(this.#byId.get(id))
  }

  byName(name: string): PrincipalRow | undefined {
    return principalIn(this.#byName.get(name))
  }

  /** Those that were not revoked, by name. */
  all(): readonly PrincipalRow[] {
    const rows = this.#database.prepare('SELECT * FROM principal WHERE revoked_at IS NULL ORDER BY name').all()
    return rows.map(rowIn)
  }

  /** The names of those that were revoked. */
  revokedNames(): readonly string[] {
    const rows = this.#database.prepare('SELECT name FROM principal WHERE revoked_at IS NOT NULL').all()
    return rows.map(({ name }) => String(name))
  }

  /** True if there is a name of this pattern. */
  hasNameLike(pattern: string): boolean {
    return this.#database.prepare('SELECT id FROM principal WHERE name LIKE ?').get(pattern) !== undefined
  }

  insert(
    { id, name, isApprover, madeAt }: Pick<PrincipalRow, 'id' | 'name' | 'isApprover' | 'madeAt'>,
    tokenHash: string,
  ): void {
    this.#database
      .prepare('INSERT INTO principal (id, name, token_hash, approver, made_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, name, tokenHash, isApprover ? 1 : 0, madeAt)
  }

  setToken(id: string, tokenHash: string): void {
    this.#database.prepare('UPDATE principal SET token_hash = ? WHERE id = ?').run(tokenHash, id)
  }

  setUsed(id: string, at: number): void {
    this.#database.prepare('UPDATE principal SET used_at = ? WHERE id = ?').run(at, id)
  }

  setConnected(id: string, at: number): void {
    this.#database.prepare('UPDATE principal SET connected_at = ? WHERE id = ?').run(at, id)
  }

  /** Removes those of a name or of a pattern; true if there were any. */
  removeNamed(name: string, pattern: string): boolean {
    const removed = this.#database.prepare('DELETE FROM principal WHERE name = ? OR name LIKE ?').run(name, pattern)
    return Number(removed.changes) > 0
  }

  /** Revokes the one of a name, which gets another name; true if there was one. */
  revoke(name: string, revokedName: string, at: number): boolean {
    const revoked = this.#database
      .prepare('UPDATE principal SET revoked_at = ?, name = ? WHERE name = ? AND revoked_at IS NULL')
      .run(at, revokedName, name)
    return Number(revoked.changes) > 0
  }

  /** Removes revoked ones beyond a number, the one revoked first first. */
  keepRevoked(most: number): void {
    const kept = 'SELECT id FROM principal WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC LIMIT ?'
    this.#database.prepare(`DELETE FROM principal WHERE revoked_at IS NOT NULL AND id NOT IN (${kept})`).run(most)
  }
}

function principalIn(row: { readonly [column: string]: unknown } | undefined): PrincipalRow | undefined {
  return row && rowIn(row)
}

function rowIn(row: { readonly [column: string]: unknown }): PrincipalRow {
  return {
    id: String(row.id),
    name: String(row.name),
    isApprover: row.approver === 1,
    madeAt: Number(row.made_at),
    usedAt: row.used_at === null ? undefined : Number(row.used_at),
    connectedAt: row.connected_at === null ? undefined : Number(row.connected_at),
  }
}
