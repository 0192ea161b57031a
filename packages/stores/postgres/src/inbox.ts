import type { ProcessInbox, StoredEvent } from '@trunkline/mcp/http'
import { type Database, nowMs } from './database.ts'

/** Limits of one inbox. */
const maxEntriesPerInbox = 10_000
const maxBytesPerInbox = 67_108_864
/** Entries that are taken at once. */
const mostTaken = 1_000

/** Inboxes in a schema. The row of a process is locked while an entry gets its number, so that none appears later than a higher one. */
export class PostgresInbox implements ProcessInbox {
  readonly #database: Database
  readonly #sql: ReturnType<typeof statements>

  constructor(database: Database, schema: string, channel: string) {
    this.#database = database
    this.#sql = statements(schema, channel)
  }

  async post(epochs: readonly string[], entry: string): Promise<readonly string[]> {
    if (epochs.length === 0) return []
    const { rows } = await this.#database.query(this.#sql.post, [epochs, entry])
    return rows.map(({ epoch }) => epoch as string)
  }

  async take(epoch: string, after: number): Promise<readonly StoredEvent[]> {
    const { rows } = await this.#database.query(this.#sql.take, [epoch, after])
    return rows.map(({ number, entry }) => ({ number: Number(number), data: entry as string }))
  }
}

function statements(schema: string, channel: string) {
  return {
    // locked in one order, so that two posts do not wait for each other
    post: `WITH locked AS (
        SELECT epoch FROM ${schema}.process WHERE epoch = ANY ($1::text[]) ORDER BY epoch FOR UPDATE), head AS (
        UPDATE ${schema}.process AS process
        SET last = last + 1, entries = entries + 1, bytes = bytes + octet_length($2::text)
        FROM locked WHERE process.epoch = locked.epoch AND lease_until > ${nowMs}
          AND entries < ${maxEntriesPerInbox} AND bytes + octet_length($2::text) <= ${maxBytesPerInbox}
        RETURNING process.epoch, last), added AS (
        INSERT INTO ${schema}.inbox (epoch, number, entry) SELECT epoch, last, $2 FROM head)
      SELECT epoch, pg_notify('${channel}', to_json(epoch)::text) FROM head`,
    // an inbox that ends before has lost entries, as by a failover, and those that came since have their numbers
    take: `WITH head AS (
        SELECT CASE WHEN last < $2::bigint THEN 0 ELSE $2::bigint END AS taken FROM ${schema}.process WHERE epoch = $1), gone AS (
        DELETE FROM ${schema}.inbox USING head WHERE epoch = $1 AND number <= taken
        RETURNING octet_length(entry) AS size), freed AS (
        UPDATE ${schema}.process SET entries = entries - (SELECT count(*) FROM gone),
          bytes = bytes - (SELECT sum(size) FROM gone)
        WHERE epoch = $1 AND EXISTS (SELECT 1 FROM gone))
      SELECT number, entry FROM ${schema}.inbox, head WHERE epoch = $1 AND number > taken ORDER BY number LIMIT ${mostTaken}`,
  }
}
