import type { Migrations } from '../migrations.ts'

/** The tables of the inbox: questions with their answers, and grants. */
export const inboxTables: Migrations = {
  room: 'inbox',
  steps: [
    `CREATE TABLE inbox_question (
       id TEXT PRIMARY KEY,
       key TEXT NOT NULL,
       principal TEXT NOT NULL,
       question TEXT NOT NULL,
       asked_at INTEGER NOT NULL,
       expires_at INTEGER NOT NULL,
       settlement TEXT,
       settled_at INTEGER,
       used_at INTEGER
     ) STRICT;
     CREATE INDEX inbox_question_key ON inbox_question (key);
     CREATE INDEX inbox_question_open ON inbox_question (expires_at) WHERE settlement IS NULL;
     CREATE TABLE inbox_grant (
       id INTEGER PRIMARY KEY,
       principal TEXT NOT NULL,
       project TEXT NOT NULL,
       server TEXT NOT NULL,
       target TEXT NOT NULL,
       definition TEXT NOT NULL,
       granted_at INTEGER NOT NULL,
       until INTEGER NOT NULL,
       sliding_ms INTEGER
     ) STRICT;
     CREATE INDEX inbox_grant_of ON inbox_grant (principal, server, target)`,
    'ALTER TABLE inbox_grant ADD COLUMN local INTEGER NOT NULL DEFAULT 0',
    `ALTER TABLE inbox_grant ADD COLUMN answer TEXT NOT NULL DEFAULT '';
     ALTER TABLE inbox_grant ADD COLUMN question TEXT;
     ALTER TABLE inbox_grant ADD COLUMN choice TEXT NOT NULL DEFAULT 'session';
     ALTER TABLE inbox_grant ADD COLUMN command TEXT NOT NULL DEFAULT '*';
     ALTER TABLE inbox_grant ADD COLUMN breadth INTEGER NOT NULL DEFAULT 0;
     CREATE INDEX inbox_grant_answer ON inbox_grant (answer)`,
  ],
}
