import type { Migrations } from '../migrations.ts'

/** The tables of the catalogue: servers that were accepted, and every definition as it was accepted and as it is offered. */
export const catalogueTables: Migrations = {
  room: 'catalogue',
  steps: [
    `CREATE TABLE catalogue_server (
       server TEXT PRIMARY KEY,
       command TEXT NOT NULL,
       accepted_at INTEGER NOT NULL,
       instructions TEXT
     ) STRICT;
     CREATE TABLE catalogue_definition (
       server TEXT NOT NULL,
       kind TEXT NOT NULL,
       original TEXT NOT NULL,
       accepted TEXT,
       accepted_hash TEXT,
       class TEXT,
       offered TEXT,
       offered_hash TEXT,
       hidden INTEGER NOT NULL DEFAULT 0,
       PRIMARY KEY (server, kind, original)
     ) STRICT`,
    // when the first complete list was accepted; a server that was accepted and never seen has none
    `ALTER TABLE catalogue_server ADD COLUMN pinned_at INTEGER;
     UPDATE catalogue_server SET pinned_at = accepted_at`,
    // the owner of an address or a template, since it was first seen
    `CREATE TABLE catalogue_owner (
       kind TEXT NOT NULL,
       text TEXT NOT NULL,
       server TEXT NOT NULL,
       PRIMARY KEY (kind, text)
     ) STRICT, WITHOUT ROWID`,
    // owners are those of a project; addresses of projects' servers are claimed again
    `ALTER TABLE catalogue_owner RENAME TO catalogue_owner_of_all;
     CREATE TABLE catalogue_owner (
       project TEXT NOT NULL,
       kind TEXT NOT NULL,
       text TEXT NOT NULL,
       server TEXT NOT NULL,
       PRIMARY KEY (project, kind, text)
     ) STRICT, WITHOUT ROWID;
     INSERT INTO catalogue_owner SELECT '', kind, text, server FROM catalogue_owner_of_all WHERE server NOT LIKE '%@%';
     DROP TABLE catalogue_owner_of_all`,
    // 1 if a server has resources, as it was last asked; unknown before
    'ALTER TABLE catalogue_server ADD COLUMN resources INTEGER',
    // why and when a server failed that has not been ready since
    `ALTER TABLE catalogue_server ADD COLUMN failure TEXT;
     ALTER TABLE catalogue_server ADD COLUMN failed_at INTEGER`,
  ],
}
