import type { Store } from '../../store/store.ts'

/** A program that may start a client, as it was found. */
export interface PinnedProgram {
  /** Its path without the parts that an update changes. */
  readonly key: string
  readonly path: string
  /** The directory that it worked in when it was accepted, where that could be seen. */
  readonly folder?: string
  /** Time of the acceptance, as in `Date.now()`. */
  readonly at: number
}

/** Programs of one client; beyond it the one that was accepted first is forgotten, and asked about again. */
const maxPrograms = 16

/** The programs that may start each client: those that a person accepted, and the first of a client that they added. */
export class ClientPrograms {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** The programs of a principal, first accepted first. */
  of(principal: string): readonly PinnedProgram[] {
    const rows = this.#store.database
      .prepare('SELECT program, path, folder, at FROM client_program WHERE principal = ? ORDER BY at, rowid')
      .all(principal)
    return rows.map(({ program, path, folder, at }) => ({
      key: String(program),
      path: String(path),
      ...(folder !== null && { folder: String(folder) }),
      at: Number(at),
    }))
  }

  /** Accepts a program as one that starts this client. */
  async add(principal: string, { key, path, folder }: Omit<PinnedProgram, 'at'>): Promise<void> {
    const { database } = this.#store
    await this.#store.durable(() => {
      database.prepare('DELETE FROM client_program WHERE principal NOT IN (SELECT id FROM principal)').run()
      database
        .prepare('INSERT OR REPLACE INTO client_program (principal, program, path, folder, at) VALUES (?, ?, ?, ?, ?)')
        .run(principal, key, path, folder ?? null, Date.now())
      const kept = 'SELECT rowid FROM client_program WHERE principal = ?1 ORDER BY at DESC, rowid DESC LIMIT ?2'
      database
        .prepare(`DELETE FROM client_program WHERE principal = ?1 AND rowid NOT IN (${kept})`)
        .run(principal, maxPrograms)
    })
  }

  /** Forgets the programs of a principal, so that each of them is a question again. */
  forget(principal: string): Promise<void> {
    const remove = this.#store.database.prepare('DELETE FROM client_program WHERE principal = ?')
    return this.#store.durable(() => remove.run(principal))
  }
}
