import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../../store/store.ts'
import type { Fingerprint } from './fingerprint.ts'

/** The accepted files of a server. */
export interface StoredBinding {
  /** The hash of the command that was accepted. */
  readonly command: string
  readonly fingerprint: Fingerprint
  /** `person` accepted it; it was `found` for a server that was accepted before files were bound; `nobody` accepts it. */
  readonly by: 'person' | 'found' | 'nobody'
  /** Time as in `Date.now()`. */
  readonly at: number
}

/** The table of bound files; one row for each accepted server. */
export const boundProgramTable = `CREATE TABLE program_binding (
     server TEXT PRIMARY KEY,
     command TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     accepted_by TEXT NOT NULL,
     at INTEGER NOT NULL
   ) STRICT`

/** The accepted files of each server. */
export class BoundProgramTable {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get(server: ServerKey): StoredBinding | undefined {
    const row = this.#store.database.prepare('SELECT * FROM program_binding WHERE server = ?').get(server)
    return row && bindingOf(row)
  }

  get all(): readonly { readonly server: ServerKey; readonly binding: StoredBinding }[] {
    const rows = this.#store.database.prepare('SELECT * FROM program_binding ORDER BY server').all()
    return rows.map((row) => ({ server: String(row.server), binding: bindingOf(row) }))
  }

  put(server: ServerKey, { command, fingerprint, by, at }: StoredBinding): Promise<void> {
    const sql = `INSERT OR REPLACE INTO program_binding (server, command, fingerprint, accepted_by, at)
      VALUES (?, ?, ?, ?, ?)`
    const values = [server, command, JSON.stringify(fingerprint), by, at] as const
    return this.#store.durable(() => this.#store.database.prepare(sql).run(...values))
  }

  decide(servers: readonly ServerKey[], by: StoredBinding['by']): Promise<void> {
    const update = this.#store.database.prepare('UPDATE program_binding SET accepted_by = ? WHERE server = ?')
    return this.#store.durable(() => {
      for (const server of servers) update.run(by, server)
    })
  }

  inherit(server: ServerKey, from: ServerKey): Promise<void> {
    const columns = 'command, fingerprint, accepted_by, at'
    const sql = `INSERT OR REPLACE INTO program_binding (server, ${columns})
      SELECT ?, ${columns} FROM program_binding WHERE server = ?`
    return this.#store.durable(() => this.#store.database.prepare(sql).run(server, from))
  }
}

function bindingOf({ command, fingerprint, accepted_by: by, at }: { readonly [column: string]: unknown }) {
  const parsed = JSON.parse(String(fingerprint)) as Fingerprint
  return { command: String(command), fingerprint: parsed, by: by as StoredBinding['by'], at: Number(at) }
}
