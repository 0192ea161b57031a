import { type SqliteDatabase, sqliteTaskSteps, sqliteTasks } from '@trunkline/mcp/sqlite'
import type { TaskStore } from '@trunkline/mcp/tasks'
import { storeError } from '../errors.ts'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** Steps of the library that were there when the host began to use its tables. */
const firstSteps = 3

/** The tables of callers' tasks, and of their questions and answers: first those of the host, then those of the library. */
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
    // 9007199254740991 stood for a task that never expires
    `ALTER TABLE task_entry RENAME TO earlier_task_entry;
     ALTER TABLE task RENAME TO earlier_task;
     ${sqliteTaskSteps.slice(0, firstSteps).join(';\n')};
     INSERT INTO task
       (number, id, server, principal, created_at, updated_at, expires_at, status, status_message, work, outcome)
       SELECT number, id, place, task -> '$.principal', created_at, CAST(task ->> '$.updatedAt' AS INTEGER),
         nullif(expires_at, 9007199254740991), status, task -> '$.statusMessage', task -> '$.work', task -> '$.outcome'
       FROM earlier_task;
     INSERT INTO task_entry (number, task, kind, key, value)
       SELECT number, task, kind, json_quote(key), value FROM earlier_task_entry;
     DROP TABLE earlier_task_entry;
     DROP TABLE earlier_task`,
    ...sqliteTaskSteps.slice(firstSteps),
  ],
}

/**
 * The tasks of one address of the gateway. Addresses share the limit of a principal; each resumes only the tasks that it
 * left unfinished itself.
 */
export function tasksAt(address: string, store: Store): Required<TaskStore> {
  return sqliteTasks(databaseOf(store), address)
}

/** The store as the library uses it: what must last is committed with all other writes of the turn. */
function databaseOf(store: Store): SqliteDatabase {
  const { database, path } = store
  const use = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      throw storeError(error, path)
    }
  }
  return {
    prepare: (sql) => database.prepare(sql),
    use,
    transaction: (work) =>
      use(() => {
        database.exec('SAVEPOINT one_task')
        try {
          const value = work()
          database.exec('RELEASE one_task')
          return value
        } catch (error) {
          // a full disk ends the transaction by itself
          if (database.isTransaction) database.exec('ROLLBACK TO one_task; RELEASE one_task')
          throw error
        }
      }),
    async durable(work) {
      const written: ReturnType<typeof work>[] = []
      await store.durable(() => void written.push(work()))
      return written[0] as ReturnType<typeof work>
    },
  }
}
