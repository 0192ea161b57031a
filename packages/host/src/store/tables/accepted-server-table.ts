import type { DatabaseSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../store.ts'

/** A server whose command a person accepted. */
export interface AcceptedServerRow {
  /** Hash of the command. */
  readonly command: string
  /** Time when it was accepted first. */
  readonly acceptedAt: number
  /** Time when its first complete list was accepted. */
  readonly pinnedAt: number | undefined
  /** True if it has resources; undefined while it was not asked. */
  readonly hasResources: boolean | undefined
  /** Its last failure; undefined if it has been ready since. */
  readonly failure: ServerFailure | undefined
}

/** A failure of a server, with its time. */
export interface ServerFailure {
  readonly why: string
  readonly at: number
}

/** Servers whose command a person accepted, with the facts about each. */
export class AcceptedServerTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  get(server: ServerKey): AcceptedServerRow | undefined {
    const row = this.#database.prepare('SELECT * FROM catalogue_server WHERE server = ?').get(server)
    if (!row) return undefined
    const { command, accepted_at: acceptedAt, pinned_at: pinnedAt, resources, failure, failed_at: failedAt } = row
    return {
      command: String(command),
      acceptedAt: Number(acceptedAt),
      pinnedAt: typeof pinnedAt === 'number' ? pinnedAt : undefined,
      hasResources: typeof resources === 'number' ? resources === 1 : undefined,
      failure: typeof failure === 'string' ? { why: failure, at: Number(failedAt) } : undefined,
    }
  }

  /** All servers, first accepted first. */
  inOrder(): readonly ServerKey[] {
    const rows = this.#database.prepare('SELECT server FROM catalogue_server ORDER BY accepted_at, rowid').all()
    return rows.map(({ server }) => String(server))
  }

  /** Adds a server; one that is accepted again, with another command, keeps its place among the others. */
  accept(server: ServerKey, command: string, at: number): void {
    this.#database
      .prepare(
        `INSERT INTO catalogue_server (server, command, accepted_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET command = excluded.command, pinned_at = NULL, resources = NULL,
           failure = NULL, failed_at = NULL`,
      )
      .run(server, command, at)
  }

  /** Copies the row of another server. */
  copy(server: ServerKey, from: ServerKey): void {
    const columns = 'command, accepted_at, instructions, pinned_at, resources'
    const copied = `SELECT ?, ${columns} FROM catalogue_server WHERE server = ?`
    this.#database.prepare(`INSERT OR REPLACE INTO catalogue_server (server, ${columns}) ${copied}`).run(server, from)
  }

  pin(server: ServerKey, at: number): void {
    this.#database.prepare('UPDATE catalogue_server SET pinned_at = ? WHERE server = ?').run(at, server)
  }

  setResources(server: ServerKey, hasResources: boolean): void {
    this.#database
      .prepare('UPDATE catalogue_server SET resources = ? WHERE server = ?')
      .run(hasResources ? 1 : 0, server)
  }

  setFailure(server: ServerKey, failure: ServerFailure | undefined): void {
    this.#database
      .prepare('UPDATE catalogue_server SET failure = ?, failed_at = ? WHERE server = ?')
      .run(failure?.why ?? null, failure?.at ?? null, server)
  }

  remove(server: ServerKey): void {
    this.#database.prepare('DELETE FROM catalogue_server WHERE server = ?').run(server)
  }
}
