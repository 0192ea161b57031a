import type { StatementSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

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

/** A task of a caller; one that has expired counts as deleted. */
export interface TaskRow {
  readonly id: string
  /** Address of the gateway that keeps it. */
  readonly place: string
  readonly principal: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly status: string
  /** The whole task, as JSON. */
  readonly task: string
}

/** A question or answer of a task; the value is JSON. */
export interface TaskEntryRow {
  readonly kind: string
  readonly key: string
  readonly value: string
}

/** The task before a page of tasks. */
export interface TaskPageStart {
  readonly createdAt: number
  readonly id: string
}

const page = '(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?'
const enter = `INSERT INTO task_entry (kind, key, value, task)
  SELECT ?, ?, ?, number FROM task WHERE id = ? AND status = 'working' AND expires_at > ?`

/** The tasks of callers, with their questions and answers. */
export class TaskTable {
  readonly #sweep: StatementSync
  readonly #count: StatementSync
  readonly #insert: StatementSync
  readonly #load: StatementSync
  readonly #update: StatementSync
  readonly #enter: StatementSync
  readonly #replace: StatementSync
  readonly #entries: StatementSync
  readonly #list: StatementSync
  readonly #unfinished: StatementSync
  readonly #remove: StatementSync

  constructor({ database }: Store) {
    this.#sweep = database.prepare('DELETE FROM task WHERE expires_at <= ?')
    this.#count = database.prepare('SELECT count(*) AS count FROM task WHERE principal = ?')
    this.#insert = database.prepare(
      'INSERT INTO task (id, place, principal, created_at, expires_at, status, task) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.#load = database.prepare('SELECT task FROM task WHERE id = ? AND place = ? AND expires_at > ?')
    this.#update = database.prepare('UPDATE task SET status = ?, task = ? WHERE id = ?')
    this.#enter = database.prepare(`${enter} ON CONFLICT DO NOTHING`)
    this.#replace = database.prepare(`${enter} ON CONFLICT DO UPDATE SET value = excluded.value`)
    this.#entries = database.prepare(
      'SELECT kind, key, value FROM task_entry WHERE task = (SELECT number FROM task WHERE id = ?) ORDER BY number',
    )
    this.#list = database.prepare(
      `SELECT task FROM task WHERE principal = ? AND place = ? AND expires_at > ? AND ${page}`,
    )
    this.#unfinished = database.prepare(
      `SELECT task FROM task WHERE status = 'working' AND place = ? AND expires_at > ? AND ${page}`,
    )
    this.#remove = database.prepare('DELETE FROM task WHERE id = ?')
  }

  /** Removes expired tasks. */
  sweep(now: number): void {
    this.#sweep.run(now)
  }

  countOf(principal: string): number {
    return Number(this.#count.get(principal)?.count)
  }

  insert({ id, place, principal, createdAt, expiresAt, status, task }: TaskRow): void {
    this.#insert.run(id, place, principal, createdAt, expiresAt, status, task)
  }

  load(id: string, place: string, now: number): string | undefined {
    const row = this.#load.get(id, place, now)
    return row && String(row.task)
  }

  update(id: string, { status, task }: Pick<TaskRow, 'status' | 'task'>): void {
    this.#update.run(status, task, id)
  }

  /** Adds an entry to a task that is under way, unless it has one of this key; true if it was added. */
  addEntry(id: string, { kind, key, value }: TaskEntryRow, now: number): boolean {
    return this.#enter.run(kind, key, value, id, now).changes > 0
  }

  /** Adds an entry to a task that is under way, or replaces the one of this key; true if the task is under way. */
  putEntry(id: string, { kind, key, value }: TaskEntryRow, now: number): boolean {
    return this.#replace.run(kind, key, value, id, now).changes > 0
  }

  entries(id: string): readonly TaskEntryRow[] {
    const rows = this.#entries.all(id)
    return rows.map(({ kind, key, value }) => ({ kind: String(kind), key: String(key), value: String(value) }))
  }

  /** Tasks of a principal at a place, oldest first. */
  list({ principal, place, now, after, most }: TaskPage & { readonly principal: string }): readonly string[] {
    return this.#list.all(principal, place, now, after.createdAt, after.id, most).map(({ task }) => String(task))
  }

  /** Tasks at a place that are under way, oldest first. */
  unfinished({ place, now, after, most }: TaskPage): readonly string[] {
    return this.#unfinished.all(place, now, after.createdAt, after.id, most).map(({ task }) => String(task))
  }

  remove(id: string): void {
    this.#remove.run(id)
  }
}

/** A page of the tasks of a place. */
export interface TaskPage {
  readonly place: string
  readonly now: number
  readonly after: TaskPageStart
  readonly most: number
}
