import type { Migrations } from '../store/migrations.ts'

/** The tables of the ledger: the chain, what was said beside it, and the checkpoints it may be cut at. */
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
  ],
}
