import type { ServerKey } from '../../act/server-key.ts'
import type { Migrations } from '../../store/migrations.ts'
import type { Store } from '../../store/store.ts'
import { boundProgramTable } from './bound-program-table.ts'
import type { InstalledProgram } from './package-manager.ts'

/** The table of installed programs. */
export const programTables: Migrations = {
  room: 'programs',
  steps: [
    `CREATE TABLE program (
       server TEXT PRIMARY KEY,
       command TEXT NOT NULL,
       manager TEXT NOT NULL,
       package TEXT NOT NULL,
       version TEXT NOT NULL,
       path TEXT NOT NULL,
       folder TEXT NOT NULL,
       at INTEGER NOT NULL
     ) STRICT`,
    boundProgramTable,
    // the registry's digest of the package, since it is kept
    'ALTER TABLE program ADD COLUMN integrity TEXT',
  ],
}

/** The program that was installed for a server. */
export interface StoredProgram extends InstalledProgram {
  /** The hash of the command that was accepted for it. */
  readonly command: string
  readonly manager: 'npm' | 'uv'
  readonly folder: string
}

/** The program of each server. */
export class ProgramTable {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get(server: ServerKey): StoredProgram | undefined {
    const row = this.#store.database.prepare('SELECT * FROM program WHERE server = ?').get(server)
    if (!row) return undefined
    const { integrity, ...program } = row
    return { ...program, ...(typeof integrity === 'string' && { integrity }) } as unknown as StoredProgram
  }

  get folders(): ReadonlySet<string> {
    const rows = this.#store.database.prepare('SELECT folder FROM program').all()
    return new Set(rows.map(({ folder }) => String(folder)))
  }

  put(server: ServerKey, program: StoredProgram): Promise<void> {
    const { command, manager, package: name, version, path, folder, integrity = null } = program
    const sql = `INSERT OR REPLACE INTO program (server, command, manager, package, version, path, folder, at, integrity)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    const values = [server, command, manager, name, version, path, folder, Date.now(), integrity] as const
    return this.#store.durable(() => this.#store.database.prepare(sql).run(...values))
  }
}
