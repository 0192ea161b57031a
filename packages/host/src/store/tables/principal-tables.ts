import type { Migrations } from '../migrations.ts'

/** The programs that may call, and the pages that are signed in; of their secrets only hashes are kept. */
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
    `CREATE TABLE page_secret (
       hash TEXT PRIMARY KEY,
       until INTEGER NOT NULL
     ) STRICT`,
    `CREATE TABLE client_program (
       principal TEXT NOT NULL,
       program TEXT NOT NULL,
       path TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (principal, program)
     ) STRICT`,
    `ALTER TABLE client_program ADD COLUMN folder TEXT;
     CREATE TABLE earlier_client (
       name TEXT PRIMARY KEY,
       decided_by TEXT NOT NULL
     ) STRICT;
     INSERT INTO earlier_client (name, decided_by)
       SELECT name, 'found' FROM principal
       WHERE revoked_at IS NULL
         AND name NOT IN ('app', 'chat', 'command', 'console')
         AND id NOT IN (SELECT principal FROM client_program)`,
    // apart from the use of a token, which decides about the first program of a client
    'ALTER TABLE principal ADD COLUMN connected_at INTEGER',
  ],
}
