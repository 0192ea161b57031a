import type { DatabaseSync } from 'node:sqlite'
import type { ServerKey } from '../../act/server-key.ts'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'
import { boundProgramStep } from './bound-program-table.ts'

/** The tables of installed programs and of the accepted files of servers. */
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
    boundProgramStep,
    // the registry's digest of the package, since it is kept
    'ALTER TABLE program ADD COLUMN integrity TEXT',
  ],
}

/** The program that was installed for a server. */
export interface StoredProgram {
  readonly package: string
  readonly version: string
  /** The program to start. */
  readonly path: string
  /** The digest of the package that the registry gives, where it gives one. */
  readonly integrity?: string
  /** The hash of the command that was accepted for it. */
  readonly command: string
  readonly manager: 'npm' | 'uv'
  readonly folder: string
}

/** The program of each server. */
export class ProgramTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  get(server: ServerKey): StoredProgram | undefined {
    const row = this.#database.prepare('SELECT * FROM program WHERE server = ?').get(server)
    if (!row) return undefined
    const { integrity, ...program } = row
    return { ...program, ...(typeof integrity === 'string' && { integrity }) } as unknown as StoredProgram
  }

  folders(): ReadonlySet<string> {
    const rows = this.#database.prepare('SELECT folder FROM program').all()
    return new Set(rows.map(({ folder }) => String(folder)))
  }

  put(server: ServerKey, program: StoredProgram): void {
    const { command, manager, package: name, version, path, folder, integrity = null } = program
    const sql = `INSERT OR REPLACE INTO program (server, command, manager, package, version, path, folder, at, integrity)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    this.#database.prepare(sql).run(server, command, manager, name, version, path, folder, Date.now(), integrity)
  }
}
