import type { Migrations } from '../migrations.ts'
import { prepareSearch } from './prepare-search.ts'

/** The tables of the ledger: the chain, its payloads, and the checkpoints it may be cut at. */
export const ledgerTables: Migrations = {
  room: 'ledger',
  steps: [
    `CREATE TABLE ledger_line (
       number INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       text TEXT NOT NULL,
       previous TEXT NOT NULL,
       hash TEXT NOT NULL,
       act TEXT,
       principal TEXT,
       server TEXT,
       target TEXT,
       kind TEXT NOT NULL,
       outcome TEXT
     ) STRICT;
     CREATE INDEX ledger_line_act ON ledger_line (act);
     CREATE INDEX ledger_line_at ON ledger_line (at);
     CREATE TABLE ledger_payload (
       act TEXT NOT NULL,
       part TEXT NOT NULL,
       at INTEGER NOT NULL,
       server TEXT NOT NULL,
       text TEXT NOT NULL,
       bytes INTEGER NOT NULL,
       PRIMARY KEY (act, part)
     ) STRICT;
     CREATE INDEX ledger_payload_at ON ledger_payload (at);
     CREATE TABLE ledger_checkpoint (
       number INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       hash TEXT NOT NULL,
       signature TEXT NOT NULL
     ) STRICT;
     CREATE TABLE ledger_key (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`,
    // sums and ages are read from the index alone, whatever the payloads weigh
    `DROP INDEX ledger_payload_at;
     CREATE INDEX ledger_payload_at ON ledger_payload (at, bytes)`,
    'ALTER TABLE ledger_line ADD COLUMN act_kind TEXT',
    // a payload is found by its line, and lines by marks of their times: one index on the way of an act instead of four
    `DROP INDEX ledger_line_at;
     CREATE TABLE ledger_time_mark (number INTEGER PRIMARY KEY, latest INTEGER NOT NULL) STRICT;
     INSERT INTO ledger_time_mark (number, latest)
       SELECT number, latest FROM (SELECT number, max(at) OVER (ORDER BY number) AS latest FROM ledger_line)
       WHERE number % 256 = 0;
     ALTER TABLE ledger_payload RENAME TO ledger_payload_of_act;
     CREATE TABLE ledger_payload (
       line INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       server TEXT NOT NULL,
       bytes INTEGER NOT NULL,
       text TEXT NOT NULL
     ) STRICT;
     INSERT INTO ledger_payload (line, at, server, bytes, text)
       SELECT ended.number, max(at), server, sum(bytes), CASE max(part = 'both')
         WHEN 1 THEN max(CASE part WHEN 'both' THEN text END)
         ELSE '{' || group_concat('"' || part || '":' || text) || '}' END
       FROM ledger_payload_of_act AS kept
       JOIN (SELECT act, max(number) AS number FROM ledger_line GROUP BY act) AS ended ON ended.act = kept.act
       GROUP BY kept.act;
     DROP TABLE ledger_payload_of_act;
     CREATE TABLE ledger_payload_total (line INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
     INSERT INTO ledger_payload_total (line, bytes)
       SELECT coalesce(max(line), 0), coalesce(sum(bytes), 0) FROM ledger_payload`,
    // the index itself is made by "prepare": not every SQLite has what it takes
    `CREATE TABLE ledger_search_state (up_to INTEGER NOT NULL, has_remains INTEGER NOT NULL) STRICT;
     INSERT INTO ledger_search_state (up_to, has_remains) VALUES (0, 0);
     CREATE TABLE ledger_search_due (number INTEGER PRIMARY KEY) STRICT`,
  ],
  prepare: prepareSearch,
}
