import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { ServerKey } from '../act/server-key.ts'

/** Servers whose command a person accepted, with the facts about each. Callers write within a write of their own. */
export class AcceptedServers {
  readonly #database: DatabaseSync
  // the place of each in the order of acceptance; read once per change
  #order: ReadonlyMap<string, number> | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** True if a person accepted this server with this command. */
  has(server: ServerKey, command: string): boolean {
    return this.#row(server)?.command === command
  }

  /** True if the first complete list of a server was accepted. */
  isPinned(server: ServerKey): boolean {
    return typeof this.#row(server)?.pinned_at === 'number'
  }

  /** True if a server has resources; undefined while it was not asked. */
  hasResources(server: ServerKey): boolean | undefined {
    const known = this.#row(server)?.resources
    return typeof known === 'number' ? known === 1 : undefined
  }

  /** These servers, first accepted first. */
  inOrder(servers: readonly ServerKey[]): readonly ServerKey[] {
    this.#order ??= this.#readOrder()
    const order = this.#order
    const placeOf = (server: ServerKey): number => order.get(server) ?? order.size
    return servers.toSorted((one, other) => placeOf(one) - placeOf(other))
  }

  #readOrder(): ReadonlyMap<string, number> {
    const rows = this.#database.prepare('SELECT server FROM catalogue_server ORDER BY accepted_at, rowid').all()
    return new Map(rows.map(({ server }, at) => [String(server), at]))
  }

  /** A server that is accepted again, with another command, keeps its place among the others. */
  accept(server: ServerKey, command: string): void {
    this.#run(
      `INSERT INTO catalogue_server (server, command, accepted_at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET command = excluded.command, pinned_at = NULL, resources = NULL`,
      [server, command, Date.now()],
    )
  }

  inherit(server: ServerKey, from: ServerKey): void {
    const columns = 'command, accepted_at, instructions, pinned_at, resources'
    const copied = `SELECT ?, ${columns} FROM catalogue_server WHERE server = ?`
    this.#run(`INSERT OR REPLACE INTO catalogue_server (server, ${columns}) ${copied}`, [server, from])
  }

  pin(server: ServerKey): void {
    this.#run('UPDATE catalogue_server SET pinned_at = ? WHERE server = ?', [Date.now(), server])
  }

  noteResources(server: ServerKey, hasResources: boolean): void {
    this.#run('UPDATE catalogue_server SET resources = ? WHERE server = ?', [hasResources ? 1 : 0, server])
  }

  remove(server: ServerKey): void {
    this.#run('DELETE FROM catalogue_server WHERE server = ?', [server])
  }

  #row(server: ServerKey) {
    return this.#database.prepare('SELECT * FROM catalogue_server WHERE server = ?').get(server)
  }

  #run(statement: string, values: readonly SQLInputValue[]): void {
    this.#order = undefined
    this.#database.prepare(statement).run(...values)
  }
}
