import type { SessionRecord, SessionStore } from '../session-store.ts'
import { ExpiredRows } from './expired-rows.ts'
import type { SqliteFile } from './sqlite-file.ts'

export interface SqliteSessionLimits {
  readonly maxSessions: number
  readonly maxSessionAgeMs: number
}

const old = 'DELETE FROM session WHERE id IN (SELECT id FROM session WHERE used_at <= ? LIMIT ?)'

/** Sessions in a file; beyond the limit those go first that were not used for longest. */
export class SqliteSessionStore implements SessionStore {
  readonly #file: SqliteFile
  readonly #sql: ReturnType<typeof statements>
  readonly #expired: ExpiredRows
  readonly #most: number
  /** Not less than there are. */
  #count: number

  constructor(file: SqliteFile, { maxSessions, maxSessionAgeMs }: SqliteSessionLimits) {
    this.#file = file
    this.#sql = statements(file)
    this.#expired = new ExpiredRows(file, old, maxSessionAgeMs)
    this.#most = maxSessions
    this.#count = this.#counted()
  }

  save(id: string, record: SessionRecord): void {
    this.#expired.sometimes()
    const text = JSON.stringify(record)
    if (this.#file.use(() => this.#expired.makingRoom(() => this.#sql.change.run(text, Date.now(), id).changes)) > 0)
      return
    this.#file.use(() => this.#expired.makingRoom(() => this.#sql.add.run(id, text, Date.now())))
    this.#count += 1
    if (this.#count > this.#most) this.#shed()
  }

  load(id: string): SessionRecord | undefined {
    // marks it as used
    const row = this.#file.use(() => this.#sql.touch.get(Date.now(), id))
    return row && JSON.parse(row.record as string)
  }

  drop(id: string): void {
    this.#file.use(() => this.#sql.drop.run(id))
  }

  #shed(): void {
    this.#count = this.#counted()
    if (this.#count <= this.#most) return
    this.#file.use(() => this.#sql.shed.run(this.#count - this.#most))
    this.#count = this.#most
  }

  #counted(): number {
    return this.#file.use(() => Number(this.#sql.count.get()?.count))
  }
}

function statements(file: SqliteFile) {
  return {
    count: file.prepare('SELECT count(*) AS count FROM session'),
    add: file.prepare('INSERT INTO session (id, record, used_at) VALUES (?, ?, ?)'),
    change: file.prepare('UPDATE session SET record = ?, used_at = ? WHERE id = ?'),
    touch: file.prepare('UPDATE session SET used_at = ? WHERE id = ? RETURNING record'),
    shed: file.prepare('DELETE FROM session WHERE id IN (SELECT id FROM session ORDER BY used_at, rowid LIMIT ?)'),
    drop: file.prepare('DELETE FROM session WHERE id = ?'),
  }
}
