import type { Migrations } from '../../store/migrations.ts'

/** The table of processes that called. */
export const processTables: Migrations = {
  room: 'processes',
  steps: [
    `CREATE TABLE caller_process (
       boot TEXT NOT NULL,
       pid INTEGER NOT NULL,
       started_at TEXT NOT NULL,
       principal TEXT NOT NULL,
       name TEXT NOT NULL,
       leads_group INTEGER NOT NULL,
       leads_session INTEGER NOT NULL,
       seen_at INTEGER NOT NULL,
       PRIMARY KEY (boot, pid, started_at, principal)
     ) STRICT`,
  ],
}
