import { McpError } from '@trunkline/mcp'
import type { ClusterView, Presence, ProcessFacts } from '@trunkline/mcp/http'
import { type Database, nowMs } from './database.ts'

/** Processes that live at the same time. */
const maxProcesses = 1_000

/** Processes in a schema; their leases end by the time of the server. */
export class PostgresPresence implements Presence {
  readonly #database: Database
  readonly #schema: string

  constructor(database: Database, schema: string) {
    this.#database = database
    this.#schema = schema
  }

  async beat({ epoch, server, sealingKeys }: ProcessFacts, leaseMs: number): Promise<ClusterView> {
    const { rows } = await this.#database.query(
      `SELECT refused, now_ms, live, generation FROM ${this.#schema}.beat($1, $2, $3, $4, ${maxProcesses})`,
      [epoch, JSON.stringify(server), JSON.stringify(sealingKeys), leaseMs],
    )
    const { refused, now_ms, live, generation } = rows[0] ?? {}
    if (typeof refused === 'string') throw this.#refusal(refused, server)
    return { now: Number(now_ms), live: (live as readonly StoredFacts[]).map(factsOf), generation: String(generation) }
  }

  async isLive(epoch: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${this.#schema}.process WHERE epoch = $1 AND lease_until > ${nowMs}`
    return (await this.#database.query(sql, [epoch])).rows.length > 0
  }

  async leave(epoch: string): Promise<void> {
    await this.#database.query(`DELETE FROM ${this.#schema}.process WHERE epoch = $1`, [epoch])
  }

  #refusal(other: string, server: string): McpError {
    if (other === '')
      return new McpError('Store', `Cannot join the cluster: ${maxProcesses} processes live; end some of them`)
    return new McpError(
      'Store',
      `Cannot use schema ${this.#schema} for server ${JSON.stringify(server)}: server ${other} uses it; give another "schema"`,
    )
  }
}

/** A process as the server gives it: the texts are JSON, because PostgreSQL has no character 0. */
type StoredFacts = { readonly [Name in keyof ProcessFacts]: string }

function factsOf({ epoch, server, sealingKeys }: StoredFacts): ProcessFacts {
  return { epoch, server: JSON.parse(server), sealingKeys: JSON.parse(sealingKeys) }
}
