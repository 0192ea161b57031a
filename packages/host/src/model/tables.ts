import type { Migrations } from '../store/migrations.ts'

/** The table of the use of models, by spender. */
export const modelTables: Migrations = {
  room: 'model',
  steps: [
    `CREATE TABLE model_use (
       id INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       spender TEXT NOT NULL,
       model TEXT NOT NULL,
       input INTEGER NOT NULL,
       output INTEGER NOT NULL,
       cost REAL NOT NULL
     ) STRICT;
     CREATE INDEX model_use_of ON model_use (spender, at);
     CREATE INDEX model_use_at ON model_use (at)`,
  ],
}
