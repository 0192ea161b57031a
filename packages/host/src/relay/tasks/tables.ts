import type { Migrations } from '../../store/migrations.ts'

/** The tables of callers' tasks, and of their questions and answers. */
export const taskTables: Migrations = {
  room: 'tasks',
  steps: [
    `CREATE TABLE task (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       place TEXT NOT NULL,
       principal TEXT NOT NULL,
       created_at INTEGER NOT NULL,
       expires_at INTEGER NOT NULL,
       status TEXT NOT NULL,
       task TEXT NOT NULL
     ) STRICT;
     CREATE INDEX task_of ON task (principal, created_at, id);
     CREATE INDEX task_expiry ON task (expires_at);
     CREATE TABLE task_entry (
       number INTEGER PRIMARY KEY,
       task INTEGER NOT NULL REFERENCES task (number) ON DELETE CASCADE,
       kind TEXT NOT NULL,
       key TEXT NOT NULL,
       value TEXT NOT NULL,
       UNIQUE (task, kind, key)
     ) STRICT`,
  ],
}
