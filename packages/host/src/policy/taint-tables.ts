import type { Migrations } from '../store/migrations.ts'

/** The tables of data that principals have read, and of sends that a person allowed all the same. */
export const taintTables: Migrations = {
  room: 'taint',
  steps: [
    `CREATE TABLE taint_source (
       principal TEXT NOT NULL,
       project TEXT NOT NULL,
       server TEXT NOT NULL,
       data TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (principal, project, server)
     ) STRICT;
     CREATE TABLE taint_passed (
       principal TEXT NOT NULL,
       project TEXT NOT NULL,
       source TEXT NOT NULL,
       target TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (principal, project, source, target)
     ) STRICT`,
    `CREATE TABLE taint_heir (
       heir TEXT NOT NULL,
       ancestor TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (heir, ancestor)
     ) STRICT`,
  ],
}
