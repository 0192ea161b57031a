import type { SessionChange, SessionRecord, SessionStore, VersionedSession } from '@trunkline/mcp/sqlite'
import { type Database, nowMs } from './database.ts'
import type { Sweeper } from './sweeper.ts'

/** A use within this time is not written down again, so that reading a session writes nothing. */
const usedAgainMs = 60_000

/** Sessions in a schema. */
export class PostgresSessionStore implements Required<SessionStore> {
  readonly #database: Database
  readonly #sweeper: Sweeper
  readonly #sql: ReturnType<typeof statements>

  constructor(database: Database, schema: string, sweeper: Sweeper) {
    this.#database = database
    this.#sweeper = sweeper
    this.#sql = statements(schema)
  }

  async save(id: string, record: SessionRecord): Promise<void> {
    this.#sweeper.sometimes()
    await this.#database.query(this.#sql.save, [id, JSON.stringify(record)])
  }

  async load(id: string): Promise<SessionRecord | undefined> {
    return (await this.read(id))?.record
  }

  async read(id: string): Promise<VersionedSession | undefined> {
    const { rows } = await this.#database.query(this.#sql.read, [id])
    const [row] = rows
    if (!row) return undefined
    const record = JSON.parse(row.record as string) as SessionRecord
    const changes = (row.changes as readonly string[]).map((message) => JSON.parse(message))
    const messages = changes.length === 0 ? record.messages : [...record.messages, ...changes]
    return { record: { ...record, messages }, version: Number(row.version) }
  }

  async version(id: string): Promise<number | undefined> {
    return versionIn(await this.#database.query(this.#sql.version, [id]))
  }

  async change(id: string, { key, message }: SessionChange): Promise<number | undefined> {
    const values = [id, JSON.stringify(key)]
    return versionIn(
      message
        ? await this.#database.query(this.#sql.set, [...values, JSON.stringify(message)])
        : await this.#database.query(this.#sql.unset, values),
    )
  }

  async drop(id: string): Promise<void> {
    await this.#database.query(this.#sql.drop, [id])
  }
}

function versionIn({ rows }: { readonly rows: readonly { readonly version?: unknown }[] }): number | undefined {
  return rows[0] && Number(rows[0].version)
}

function statements(schema: string) {
  const used = `used AS (UPDATE ${schema}.session SET used_at = ${nowMs}
    WHERE id = $1 AND used_at < ${nowMs} - ${usedAgainMs})`
  const grown = `grown AS (UPDATE ${schema}.session SET version = version + 1, used_at = ${nowMs} WHERE id = $1
    RETURNING id, version)`
  return {
    save: `WITH forgotten AS (DELETE FROM ${schema}.session_change WHERE session = $1)
      INSERT INTO ${schema}.session AS known (id, record, used_at) VALUES ($1, $2, ${nowMs})
      ON CONFLICT (id) DO UPDATE SET record = excluded.record, used_at = excluded.used_at, version = known.version + 1`,
    read: `WITH ${used} SELECT record, version, ARRAY(
        SELECT message FROM ${schema}.session_change WHERE session = $1 ORDER BY number) AS changes
      FROM ${schema}.session WHERE id = $1`,
    version: `WITH ${used} SELECT version FROM ${schema}.session WHERE id = $1`,
    set: `WITH ${grown}, changed AS (
        INSERT INTO ${schema}.session_change (session, key, message) SELECT id, $2, $3 FROM grown
        ON CONFLICT (session, key) DO UPDATE SET message = excluded.message)
      SELECT version FROM grown`,
    unset: `WITH ${grown}, changed AS (DELETE FROM ${schema}.session_change WHERE session = $1 AND key = $2)
      SELECT version FROM grown`,
    drop: `DELETE FROM ${schema}.session WHERE id = $1`,
  }
}
