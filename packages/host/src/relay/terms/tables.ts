import type { Migrations } from '../../store/migrations.ts'

/** The table of outcomes of calls with a key. */
export const outcomeTables: Migrations = {
  room: 'terms',
  steps: [
    `CREATE TABLE outcome (
       number INTEGER PRIMARY KEY,
       key TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       arguments TEXT NOT NULL,
       expires INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       result TEXT
     ) STRICT;
     CREATE INDEX outcome_of ON outcome (principal, number);
     CREATE INDEX outcome_expires ON outcome (expires)`,
  ],
}
