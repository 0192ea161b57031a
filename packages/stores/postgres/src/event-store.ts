import type { AppendOptions, AppendRefusal, EventStore, StoredEvent, StreamHead } from '@trunkline/mcp/sqlite'
import { type Database, nowMs } from './database.ts'

/** Appends between two looks for events that are too many. */
const betweenTrims = 100

/** Events in a schema. A stream is a row that is locked while an event gets its number. */
export class PostgresEventStore implements Required<EventStore> {
  readonly #database: Database
  readonly #sql: ReturnType<typeof statements>
  readonly #most: number

  constructor(database: Database, schema: string, maxEventsPerStream: number) {
    this.#database = database
    this.#sql = statements(schema)
    this.#most = maxEventsPerStream
  }

  async append(stream: string, { number, data }: StoredEvent): Promise<void> {
    await this.#database.query(this.#sql.append, [stream, number, data])
    await this.#trim(stream, number)
  }

  async appendIf(
    stream: string,
    { number, data }: StoredEvent,
    { writer, closes = false }: AppendOptions = {},
  ): Promise<AppendRefusal | undefined> {
    const sql = number === 1 ? this.#sql.appendFirst : this.#sql.appendIf
    const { rowCount } = await this.#database.query(sql, [stream, number, data, writer ?? null, closes])
    if (rowCount === 0) return this.#refusal(stream, writer)
    await this.#trim(stream, number)
    return undefined
  }

  async appendNext(stream: string, data: string): Promise<number | undefined> {
    const { rows } = await this.#database.query(this.#sql.appendNext, [stream, data])
    const number = rows[0] && Number(rows[0].last)
    if (number !== undefined) await this.#trim(stream, number)
    return number
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    const { rows } = await this.#database.query(this.#sql.head, [stream])
    const [row] = rows
    if (!row) return undefined
    const writer = row.writer === null ? {} : { writer: row.writer as string }
    return { last: Number(row.last), isClosed: row.is_closed === true, ...writer }
  }

  async after(stream: string, number: number): Promise<readonly StoredEvent[] | undefined> {
    const { rows } = await this.#database.query(this.#sql.after, [stream, number])
    const last = Number(rows[0]?.last ?? -1)
    const events = rows.flatMap((row) =>
      row.number === null ? [] : [{ number: Number(row.number), data: row.data as string }],
    )
    return events.length === last - number ? events : undefined
  }

  async drop(stream: string): Promise<void> {
    await this.#database.query(this.#sql.drop, [stream])
  }

  async #refusal(stream: string, writer: string | undefined): Promise<AppendRefusal> {
    const head = await this.head(stream)
    if (head?.isClosed) return 'closed'
    return writer !== undefined && head?.writer !== undefined && head.writer !== writer ? 'writer' : 'number'
  }

  async #trim(stream: string, number: number): Promise<void> {
    if (number <= this.#most || number % Math.min(betweenTrims, this.#most) !== 0) return
    await this.#database.query(this.#sql.trim, [stream, number - this.#most])
  }
}

function statements(schema: string) {
  const event = `INSERT INTO ${schema}.event (stream, number, data)`
  return {
    append: `WITH head AS (
        INSERT INTO ${schema}.stream (name, last, written_at) VALUES ($1, $2, ${nowMs})
        ON CONFLICT (name) DO UPDATE SET last = excluded.last, written_at = excluded.written_at RETURNING name)
      ${event} SELECT name, $2, $3 FROM head`,
    appendFirst: `WITH head AS (
        INSERT INTO ${schema}.stream (name, last, writer, is_closed, written_at) VALUES ($1, $2, $4, $5, ${nowMs})
        ON CONFLICT (name) DO NOTHING RETURNING name)
      ${event} SELECT name, $2, $3 FROM head`,
    appendIf: `WITH head AS (
        UPDATE ${schema}.stream SET last = $2, writer = coalesce(writer, $4), is_closed = $5, written_at = ${nowMs}
        WHERE name = $1 AND last = $2::bigint - 1 AND NOT is_closed
          AND ($4::text IS NULL OR writer IS NULL OR writer = $4) RETURNING name)
      ${event} SELECT name, $2, $3 FROM head`,
    appendNext: `WITH head AS (
        INSERT INTO ${schema}.stream AS known (name, last, written_at) VALUES ($1, 1, ${nowMs})
        ON CONFLICT (name) DO UPDATE SET last = known.last + 1, written_at = excluded.written_at
        WHERE NOT known.is_closed RETURNING name, last), added AS (
        ${event} SELECT name, last, $2 FROM head)
      SELECT last FROM head`,
    head: `SELECT last, writer, is_closed FROM ${schema}.stream WHERE name = $1`,
    after: `SELECT head.last, event.number, event.data FROM ${schema}.stream AS head
      LEFT JOIN ${schema}.event AS event ON event.stream = head.name AND event.number > $2
      WHERE head.name = $1 ORDER BY event.number`,
    drop: `DELETE FROM ${schema}.stream WHERE name = $1`,
    trim: `DELETE FROM ${schema}.event WHERE stream = $1 AND number <= $2`,
  }
}
