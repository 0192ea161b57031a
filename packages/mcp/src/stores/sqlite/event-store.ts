import type { EventStore, StoredEvent } from '../event-store.ts'
import { ExpiredRows } from './expired-rows.ts'
import type { SqliteFile } from './sqlite-file.ts'

export interface SqliteEventLimits {
  readonly maxEventsPerStream: number
  readonly maxEventCharsPerStream: number
  readonly maxEventChars: number
  readonly maxEventAgeMs: number
}

interface Stream {
  readonly number: number
  readonly last: number
  events: number
  chars: number
}

const old = 'DELETE FROM stream WHERE number IN (SELECT number FROM stream WHERE written_at <= ? LIMIT ?)'

/** Events in a file; when there are too many, the oldest of a stream go first, and of the streams those written to least recently. */
export class SqliteEventStore implements EventStore {
  readonly #file: SqliteFile
  readonly #sql: ReturnType<typeof statements>
  readonly #limits: SqliteEventLimits
  readonly #expired: ExpiredRows
  /** Characters of all streams, and not less than there are. */
  #chars: number

  constructor(file: SqliteFile, limits: SqliteEventLimits) {
    this.#file = file
    this.#limits = limits
    this.#sql = statements(file)
    this.#expired = new ExpiredRows(file, old, limits.maxEventAgeMs)
    this.#chars = this.#counted()
  }

  append(stream: string, { number, data }: StoredEvent): void {
    this.#expired.sometimes()
    const write = () => {
      const own = this.#sql.grow.get(stream, number, data.length, Date.now()) as unknown as Stream
      this.#sql.add.run(own.number, number, data)
      this.#shed(own)
    }
    this.#chars += data.length
    this.#expired.makingRoom(() => this.#file.transaction(write))
  }

  after(stream: string, number: number): readonly StoredEvent[] | undefined {
    return this.#file.use(() => {
      const found = this.#sql.find.get(stream) as unknown as Stream | undefined
      if (!found || number > found.last) return undefined
      const rest = this.#sql.after.all(found.number, number) as unknown as StoredEvent[]
      return rest.length === found.last - number ? rest.map((event) => ({ ...event })) : undefined
    })
  }

  drop(stream: string): void {
    this.#file.use(() => this.#sql.drop.run(stream))
  }

  #shed(own: Stream): void {
    const { maxEventsPerStream, maxEventCharsPerStream, maxEventChars } = this.#limits
    while (own.events > maxEventsPerStream || own.chars > maxEventCharsPerStream) this.#shedFirst(own)
    if (this.#chars <= maxEventChars) return
    this.#chars = this.#counted()
    while (this.#chars > maxEventChars) {
      const { number, chars } = this.#sql.oldest.get() as unknown as Stream
      if (number === own.number) this.#shedFirst(own)
      else {
        this.#sql.dropNumber.run(number)
        this.#chars -= chars
      }
    }
  }

  #shedFirst(own: Stream): void {
    const { data } = this.#sql.shedFirst.get(own.number, own.number) as { data: string }
    own.events -= 1
    own.chars -= data.length
    this.#chars -= data.length
    this.#sql.shrink.run(own.events, own.chars, own.number)
  }

  #counted(): number {
    return this.#file.use(() => Number(this.#sql.total.get()?.chars))
  }
}

function statements(file: SqliteFile) {
  return {
    grow: file.prepare(
      `INSERT INTO stream (name, last, events, chars, written_at) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET last = excluded.last, events = events + 1, chars = chars + excluded.chars,
         written_at = excluded.written_at
       RETURNING number, last, events, chars`,
    ),
    add: file.prepare('INSERT INTO event (stream, number, data) VALUES (?, ?, ?)'),
    find: file.prepare('SELECT number, last, events, chars FROM stream WHERE name = ?'),
    after: file.prepare('SELECT number, data FROM event WHERE stream = ? AND number > ? ORDER BY number'),
    total: file.prepare('SELECT coalesce(sum(chars), 0) AS chars FROM stream'),
    oldest: file.prepare('SELECT number, chars FROM stream WHERE chars > 0 ORDER BY written_at, number LIMIT 1'),
    shedFirst: file.prepare(
      `DELETE FROM event WHERE stream = ? AND number = (SELECT min(number) FROM event WHERE stream = ?)
       RETURNING data`,
    ),
    shrink: file.prepare('UPDATE stream SET events = ?, chars = ? WHERE number = ?'),
    drop: file.prepare('DELETE FROM stream WHERE name = ?'),
    dropNumber: file.prepare('DELETE FROM stream WHERE number = ?'),
  }
}
