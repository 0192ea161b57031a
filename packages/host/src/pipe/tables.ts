import type { Migrations } from '../store/migrations.ts'

/** The tables of runs of plans: begun and ended calls, and nothing of their results. */
export const pipeTables: Migrations = {
  room: 'pipe',
  steps: [
    `CREATE TABLE pipe_run (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       trace TEXT NOT NULL,
       at INTEGER NOT NULL,
       ended_at INTEGER,
       state TEXT NOT NULL,
       steps TEXT NOT NULL,
       stopped TEXT
     ) STRICT;
     CREATE TABLE pipe_call (
       number INTEGER PRIMARY KEY,
       run INTEGER NOT NULL REFERENCES pipe_run (number) ON DELETE CASCADE,
       step TEXT NOT NULL,
       item TEXT NOT NULL,
       state TEXT NOT NULL,
       why TEXT
     ) STRICT;
     CREATE INDEX pipe_call_of ON pipe_call (run)`,
  ],
}
