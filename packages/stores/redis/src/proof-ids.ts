import { createHash } from 'node:crypto'
import type { ProofIds } from '@trunkline/mcp/http'
import type { RedisConnection } from './redis-connection.ts'

/** Ids of proofs in Redis, which all processes refuse together. */
export class RedisProofIds implements ProofIds {
  readonly #connection: RedisConnection
  readonly #prefix: string

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection
    this.#prefix = `${prefix}proof:`
  }

  async use(id: string, forMs: number): Promise<boolean> {
    const ms = String(Math.max(1, Math.ceil(forMs)))
    return (await this.#connection.send('SET', this.#prefix + keyPartOf(id), '1', 'NX', 'PX', ms)) === 'OK'
  }
}

/** A part of one length for an id, which its sender chooses; as JSON each text has its own bytes. */
function keyPartOf(id: string): string {
  return createHash('sha256').update(JSON.stringify(id)).digest('base64url')
}
