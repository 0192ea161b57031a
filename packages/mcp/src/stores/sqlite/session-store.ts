import type { SessionChange, SessionRecord, SessionStore, VersionedSession } from '../session-store.ts'
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
    const replace = () => {
      this.#sql.forget.run(id)
      return Number(this.#sql.replace.run(text, Date.now(), id).changes)
    }
    if (this.#expired.makingRoom(() => this.#file.transaction(replace)) > 0) return
    this.#file.use(() => this.#expired.makingRoom(() => this.#sql.add.run(id, text, Date.now())))
    this.#count += 1
    if (this.#count > this.#most) this.#shed()
  }

  load(id: string): SessionRecord | undefined {
    return this.read(id)?.record
  }

  read(id: string): VersionedSession | undefined {
    return this.#file.use(() => {
      // marks it as used
      const row = this.#sql.touch.get(Date.now(), id)
      if (!row) return undefined
      const record = JSON.parse(row.record as string) as SessionRecord
      const changes = this.#sql.changes.all(id).map(({ message }) => JSON.parse(message as string))
      const version = row.version as number
      return {
        record: changes.length === 0 ? record : { ...record, messages: [...record.messages, ...changes] },
        version,
      }
    })
  }

  version(id: string): number | undefined {
    return this.#file.use(() => this.#sql.touchOnly.get(Date.now(), id))?.version as number | undefined
  }

  change(id: string, { key, message }: SessionChange): number | undefined {
    const name = JSON.stringify(key)
    const write = () => {
      const row = this.#sql.grow.get(Date.now(), id)
      if (row && message) this.#sql.set.run(id, name, JSON.stringify(message))
      else if (row) this.#sql.unset.run(id, name)
      return row?.version as number | undefined
    }
    return this.#expired.makingRoom(() => this.#file.transaction(write))
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
    replace: file.prepare('UPDATE session SET record = ?, used_at = ?, version = version + 1 WHERE id = ?'),
    forget: file.prepare('DELETE FROM session_change WHERE session = ?'),
    touch: file.prepare('UPDATE session SET used_at = ? WHERE id = ? RETURNING record, version'),
    touchOnly: file.prepare('UPDATE session SET used_at = ? WHERE id = ? RETURNING version'),
    grow: file.prepare('UPDATE session SET used_at = ?, version = version + 1 WHERE id = ? RETURNING version'),
    changes: file.prepare('SELECT message FROM session_change WHERE session = ? ORDER BY number'),
    set: file.prepare(
      `INSERT INTO session_change (session, key, message) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET message = excluded.message`,
    ),
    unset: file.prepare('DELETE FROM session_change WHERE session = ? AND key = ?'),
    shed: file.prepare('DELETE FROM session WHERE id IN (SELECT id FROM session ORDER BY used_at, rowid LIMIT ?)'),
    drop: file.prepare('DELETE FROM session WHERE id = ?'),
  }
}
