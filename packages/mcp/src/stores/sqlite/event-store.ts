import type { AppendOptions, AppendRefusal, EventStore, StoredEvent, StreamHead } from '../event-store.ts'
import { ExpiredRows } from './expired-rows.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { optionalJson } from './task-row.ts'

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

/** Marks that an append leaves on its stream. */
type Marks = { readonly [Name in keyof AppendOptions]: AppendOptions[Name] | undefined }

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

  append(stream: string, event: StoredEvent): void {
    this.#expired.sometimes()
    this.#expired.makingRoom(() => this.#file.transaction(() => this.#add(stream, event)))
  }

  appendIf(
    stream: string,
    event: StoredEvent,
    { writer, closes = false }: AppendOptions = {},
  ): AppendRefusal | undefined {
    this.#expired.sometimes()
    const write = (): AppendRefusal | undefined => {
      const head = this.head(stream)
      if (head?.isClosed) return 'closed'
      if (writer !== undefined && head?.writer !== undefined && head.writer !== writer) return 'writer'
      if (event.number !== (head?.last ?? 0) + 1) return 'number'
      this.#add(stream, event, { writer, closes })
      return undefined
    }
    return this.#expired.makingRoom(() => this.#file.transaction(write))
  }

  appendNext(stream: string, data: string): number | undefined {
    this.#expired.sometimes()
    const write = (): number | undefined => {
      const head = this.head(stream)
      if (head?.isClosed) return undefined
      const number = (head?.last ?? 0) + 1
      this.#add(stream, { number, data })
      return number
    }
    return this.#expired.makingRoom(() => this.#file.transaction(write))
  }

  head(stream: string): StreamHead | undefined {
    const row = this.#file.use(() => this.#sql.head.get(stream))
    if (!row) return undefined
    const writer = row.writer === null ? {} : { writer: JSON.parse(row.writer as string) as string }
    return { last: row.last as number, isClosed: row.is_closed === 1, ...writer }
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

  #add(stream: string, { number, data }: StoredEvent, { writer, closes }: Marks = {}): void {
    this.#chars += data.length
    const own = this.#sql.grow.get(stream, number, data.length, Date.now()) as unknown as Stream
    this.#sql.add.run(own.number, number, data)
    if (writer !== undefined || closes) this.#sql.mark.run(optionalJson(writer), closes ? 1 : 0, own.number)
    this.#shed(own)
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
        this.#sql.empty.run(number)
        this.#sql.dropNumber.run(number)
        // a stream with a writer keeps its head
        this.#sql.shrink.run(0, 0, number)
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
    empty: file.prepare('DELETE FROM event WHERE stream = ?'),
    dropNumber: file.prepare('DELETE FROM stream WHERE number = ? AND writer IS NULL AND is_closed = 0'),
    head: file.prepare('SELECT last, writer, is_closed FROM stream WHERE name = ?'),
    mark: file.prepare('UPDATE stream SET writer = coalesce(writer, ?), is_closed = ? WHERE number = ?'),
  }
}
