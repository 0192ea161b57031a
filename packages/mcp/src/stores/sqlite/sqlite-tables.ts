const taskTables = `CREATE TABLE task (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, principal TEXT,
     created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER,
     status TEXT NOT NULL, status_message TEXT, work TEXT NOT NULL, outcome TEXT
   ) STRICT;
   CREATE INDEX task_by_principal ON task (principal, created_at, id);
   CREATE INDEX task_by_expiry ON task (expires_at) WHERE expires_at IS NOT NULL;
   CREATE INDEX task_at_work ON task (created_at, id) WHERE status = 'working';
   CREATE TABLE task_entry (
     number INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
     kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (task, kind, key)
   ) STRICT`

const taskLeases = `ALTER TABLE task ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE task ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE task ADD COLUMN owner TEXT;
   ALTER TABLE task ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0`

/** Several servers may have their tasks in one database. */
const taskServers = `ALTER TABLE task ADD COLUMN server TEXT NOT NULL DEFAULT ''`

/**
 * SQL of the steps that lead to the tables of tasks, for a database that has other tables as well. Apply each once, in
 * order; one that was released never changes, and new ones are added at the end.
 */
export const sqliteTaskSteps: readonly string[] = [taskTables, taskLeases, taskServers]

/** The steps that lead to the tables of today, the first is number 1; one that was released never changes. */
export const steps: readonly string[] = [
  `${taskTables};
   CREATE TABLE session (
     id TEXT NOT NULL PRIMARY KEY, record TEXT NOT NULL, used_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX session_by_use ON session (used_at);
   CREATE TABLE stream (
     number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
     last INTEGER NOT NULL, events INTEGER NOT NULL, chars INTEGER NOT NULL, written_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX stream_by_write ON stream (written_at, number);
   CREATE TABLE event (
     stream INTEGER NOT NULL REFERENCES stream ON DELETE CASCADE, number INTEGER NOT NULL, data TEXT NOT NULL,
     PRIMARY KEY (stream, number)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE effect (
     call TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, value TEXT, expires_at INTEGER NOT NULL,
     PRIMARY KEY (call, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX effect_by_expiry ON effect (expires_at)`,
  `${taskLeases};
   ALTER TABLE session ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
   CREATE TABLE session_change (
     number INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
     key TEXT NOT NULL, message TEXT NOT NULL, UNIQUE (session, key)
   ) STRICT;
   ALTER TABLE stream ADD COLUMN writer TEXT;
   ALTER TABLE stream ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE effect ADD COLUMN attempt TEXT;
   ALTER TABLE effect ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0`,
  taskServers,
]
