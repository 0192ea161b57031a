import type { Limiter, NamedRate, RateRefusal } from '@trunkline/mcp'
import type { Database } from './database.ts'
import type { Sweeper } from './sweeper.ts'

/** Rates that all processes count together, by the time of the server. */
export class PostgresLimiter implements Limiter {
  readonly #database: Database
  readonly #sweeper: Sweeper
  readonly #take: string

  constructor(database: Database, schema: string, sweeper: Sweeper) {
    this.#database = database
    this.#sweeper = sweeper
    this.#take = `SELECT refused, after_ms FROM ${schema}.take($1, $2, $3)`
  }

  async take(rates: readonly NamedRate[]): Promise<RateRefusal | undefined> {
    if (rates.length === 0) return undefined
    this.#sweeper.sometimes()
    const keys = rates.map(({ key }) => JSON.stringify(key))
    const values = [keys, rates.map(({ intervalMs }) => intervalMs), rates.map(({ burst }) => burst)]
    const [row] = (await this.#database.query(this.#take, values)).rows
    const refused = row?.refused
    return typeof refused === 'string' ? { key: JSON.parse(refused), afterMs: Number(row?.after_ms) } : undefined
  }
}
