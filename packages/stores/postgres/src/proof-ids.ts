import { createHash } from 'node:crypto'
import type { ProofIds } from '@trunkline/mcp/http'
import { type Database, nowMs } from './database.ts'
import type { Sweeper } from './sweeper.ts'

/** Ids of proofs in a schema, which all processes refuse together. */
export class PostgresProofIds implements ProofIds {
  readonly #database: Database
  readonly #sweeper: Sweeper
  readonly #use: string

  constructor(database: Database, schema: string, sweeper: Sweeper) {
    this.#database = database
    this.#sweeper = sweeper
    this.#use = `INSERT INTO ${schema}.proof AS known (id, used_until) VALUES ($1, ${nowMs} + $2::float8)
      ON CONFLICT (id) DO UPDATE SET used_until = excluded.used_until WHERE known.used_until <= ${nowMs}`
  }

  async use(id: string, forMs: number): Promise<boolean> {
    this.#sweeper.sometimes()
    return (await this.#database.query(this.#use, [keyOf(id), forMs])).rowCount !== 0
  }
}

/** A key of one length for an id, which its sender chooses; as JSON each text has its own bytes. */
function keyOf(id: string): string {
  return createHash('sha256').update(JSON.stringify(id)).digest('base64url')
}
