import type { Migrations } from '../store/migrations.ts'

/** The tables of saved conversations. */
export const chatTables: Migrations = {
  room: 'chat',
  steps: [
    `CREATE TABLE chat_conversation (
       id TEXT PRIMARY KEY,
       title TEXT NOT NULL,
       model TEXT,
       made_at INTEGER NOT NULL,
       used_at INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE chat_entry (
       conversation TEXT NOT NULL REFERENCES chat_conversation (id) ON DELETE CASCADE,
       number INTEGER NOT NULL,
       entry TEXT NOT NULL,
       PRIMARY KEY (conversation, number)
     ) STRICT`,
  ],
}
