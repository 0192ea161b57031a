import { McpError } from '@trunkline/mcp'
import type { PgClient, PgPool, PgResult } from './driver.ts'
import { storeError } from './store-error.ts'

/** Time of the server in milliseconds, as in `Date.now()`; processes may have other clocks. */
export const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::float8'

/** Runs statements on a pool. Each has a deadline: when it passes, the connection is closed, and the outcome is unknown. */
export class Database {
  readonly #pool: PgPool
  readonly #deadlineMs: number

  constructor(pool: PgPool, deadlineMs: number) {
    this.#pool = pool
    this.#deadlineMs = deadlineMs
  }

  /** Runs one statement, which is committed when the promise resolves. */
  query(text: string, values: readonly unknown[] = []): Promise<PgResult> {
    return this.#with((client) => client.query(text, values))
  }

  /** Runs statements, all or nothing. */
  transaction<Value>(work: (client: Pick<PgClient, 'query'>) => Promise<Value>): Promise<Value> {
    return this.#with(async (client) => {
      await client.query('BEGIN')
      try {
        const value = await work(client)
        await client.query('COMMIT')
        return value
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      }
    })
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #with<Value>(work: (client: PgClient) => Promise<Value>): Promise<Value> {
    const client = await this.#pool.connect().catch((error: unknown) => Promise.reject(storeError(error)))
    // a connection that breaks also fails its statement; without a listener it would end the process
    client.on('error', ignore)
    const late = deadline(this.#deadlineMs)
    try {
      const value = await Promise.race([work(client), late.passed])
      client.off('error', ignore)
      client.release()
      return value
    } catch (error) {
      // the listener stays with a connection that is closed: it may still break
      const isBroken = late.hasPassed() || !isSqlError(error)
      if (!isBroken) client.off('error', ignore)
      client.release(isBroken)
      throw storeError(error)
    } finally {
      late.cancel()
    }
  }
}

function ignore(): void {}

function deadline(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isOver = true
      reject(new McpError('Store', `Cannot use PostgreSQL: no answer in ${ms} ms`, { outcome: 'Unknown' }))
    }, ms)
  })
  // the statement may be over first
  passed.catch(() => {})
  return { passed, hasPassed: () => isOver, cancel: () => clearTimeout(timer) }
}

/** True if the server refused a statement, so that its connection is in order. */
function isSqlError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?!08|57P)[0-9A-Z]{5}$/.test(String(error.code))
}
