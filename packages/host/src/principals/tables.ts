import type { Migrations } from '../store/migrations.ts'

/** The table of the programs that may call; of their tokens only hashes are kept. */
export const principalTables: Migrations = {
  room: 'principals',
  steps: [
    `CREATE TABLE principal (
       id TEXT PRIMARY KEY,
       name TEXT NOT NULL UNIQUE,
       token_hash TEXT NOT NULL UNIQUE,
       approver INTEGER NOT NULL,
       made_at INTEGER NOT NULL,
       used_at INTEGER,
       revoked_at INTEGER
     ) STRICT`,
  ],
}
