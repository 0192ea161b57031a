import type { Migrations } from '../../store/migrations.ts'

/** The table of results that were too large to be passed on. */
export const spillTables: Migrations = {
  room: 'spills',
  steps: [
    `CREATE TABLE spill (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       server TEXT NOT NULL,
       target TEXT NOT NULL,
       at INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       result TEXT NOT NULL
     ) STRICT;
     CREATE INDEX spill_of ON spill (principal, number);
     CREATE INDEX spill_at ON spill (at)`,
  ],
}
