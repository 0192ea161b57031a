import type { Migrations } from '../migrations.ts'

/** The tables of the proof: the enrolment, the uses of each passkey, wrong PINs, and a reset that was asked for. */
export const proofTables: Migrations = {
  room: 'proof',
  steps: [
    `CREATE TABLE proof_enrolment (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       record TEXT NOT NULL
     ) STRICT;
     CREATE TABLE proof_counter (
       passkey TEXT PRIMARY KEY,
       counter INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE proof_tries (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       failed INTEGER NOT NULL,
       wait_until INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE proof_reset (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       asked_at INTEGER NOT NULL,
       due_at INTEGER NOT NULL
     ) STRICT`,
  ],
}
