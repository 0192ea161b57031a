import type { DatabaseSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../store.ts'

/** The accepted files of a server, as they are stored. */
export interface BoundProgramRow {
  /** The hash of the command that was accepted. */
  readonly command: string
  /** The files and their digests, as JSON. */
  readonly fingerprint: string
  /** `person` accepted it; it was `found` for a server that was accepted before files were bound; `nobody` accepts it. */
  readonly by: 'person' | 'found' | 'nobody'
  /** Time as in `Date.now()`. */
  readonly at: number
}

/** The step of the programs' migrations that makes this table. */
export const boundProgramStep = `CREATE TABLE program_binding (
     server TEXT PRIMARY KEY,
     command TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     accepted_by TEXT NOT NULL,
     at INTEGER NOT NULL
   ) STRICT`

/** The accepted files of each server; one row for each accepted server. */
export class BoundProgramTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  get(server: ServerKey): BoundProgramRow | undefined {
    const row = this.#database.prepare('SELECT * FROM program_binding WHERE server = ?').get(server)
    return row && bindingOf(row)
  }

  all(): readonly (BoundProgramRow & { readonly server: ServerKey })[] {
    const rows = this.#database.prepare('SELECT * FROM program_binding ORDER BY server').all()
    return rows.map((row) => ({ server: String(row.server), ...bindingOf(row) }))
  }

  put(server: ServerKey, { command, fingerprint, by, at }: BoundProgramRow): void {
    const sql = `INSERT OR REPLACE INTO program_binding (server, command, fingerprint, accepted_by, at)
      VALUES (?, ?, ?, ?, ?)`
    this.#database.prepare(sql).run(server, command, fingerprint, by, at)
  }

  decide(servers: readonly ServerKey[], by: BoundProgramRow['by']): void {
    const update = this.#database.prepare('UPDATE program_binding SET accepted_by = ? WHERE server = ?')
    for (const server of servers) update.run(by, server)
  }

  /** Copies the row of another server. */
  copy(server: ServerKey, from: ServerKey): void {
    const columns = 'command, fingerprint, accepted_by, at'
    const sql = `INSERT OR REPLACE INTO program_binding (server, ${columns})
      SELECT ?, ${columns} FROM program_binding WHERE server = ?`
    this.#database.prepare(sql).run(server, from)
  }
}

function bindingOf({ command, fingerprint, accepted_by: by, at }: { readonly [column: string]: unknown }) {
  return {
    command: String(command),
    fingerprint: String(fingerprint),
    by: by as BoundProgramRow['by'],
    at: Number(at),
  }
}
