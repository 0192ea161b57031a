import { beforeDeadline } from './deadline.ts'
import type { PgClient, PgPool, PgResult } from './driver.ts'
import { Outage } from './outage.ts'
import { storeError } from './store-error.ts'

/** Time of the server in milliseconds, as in `Date.now()`; processes may have other clocks. */
export const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::float8'

/** Statements of one transaction. */
export type Transaction = Pick<PgClient, 'query'>

/**
 * Runs statements on a pool. Each has a deadline: when it passes, the connection is closed, and the outcome is unknown. Until
 * the server answers again, further statements fail at once.
 */
export class Database {
  readonly #pool: PgPool
  readonly deadlineMs: number
  readonly #outage = new Outage(() => this.#run((client) => client.query('SELECT 1'), this.deadlineMs))

  constructor(pool: PgPool, deadlineMs: number) {
    this.#pool = pool
    this.deadlineMs = deadlineMs
  }

  /** Runs one statement, which is committed when the promise resolves. */
  query(text: string, values: readonly unknown[] = []): Promise<PgResult> {
    return this.#with((client) => client.query(text, values))
  }

  /**
   * Runs statements, all or nothing, with one deadline. The server knows of it too: locks of a process that was stopped in
   * between would hold up all others.
   */
  transaction<Value>(work: (client: Transaction) => Promise<Value>, deadlineMs = this.deadlineMs): Promise<Value> {
    return this.#with(async (client) => {
      await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(deadlineMs)}`)
      try {
        const value = await work(client)
        await client.query('COMMIT')
        return value
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      }
    }, deadlineMs)
  }

  /** Takes a connection out of the pool, until the caller releases it. */
  async hold(): Promise<PgClient> {
    const coming = this.#pool.connect()
    try {
      return await beforeDeadline(coming, {
        ms: this.deadlineMs,
        what: 'connection',
        outcome: 'NotSent',
        // one that comes later goes back
        onPassed: () => {
          void coming.then((client) => client.release(), ignore)
          this.#outage.begin()
        },
      })
    } catch (error) {
      throw storeError(error, 'NotSent')
    }
  }

  /** Ends what runs in the background. */
  close(): void {
    this.#outage.close()
  }

  async #with<Value>(work: (client: PgClient) => Promise<Value>, ms = this.deadlineMs): Promise<Value> {
    const { passing } = this.#outage
    if (passing) await passing
    return this.#run(work, ms)
  }

  async #run<Value>(work: (client: PgClient) => Promise<Value>, ms: number): Promise<Value> {
    const client = await this.hold()
    // a connection that breaks also fails its statement; without a listener it would end the process
    client.on('error', ignore)
    let isLate = false
    const onPassed = (): void => {
      isLate = true
      this.#outage.begin()
    }
    try {
      const value = await beforeDeadline(work(client), { ms, what: 'answer', outcome: 'Unknown', onPassed })
      client.off('error', ignore)
      client.release()
      return value
    } catch (error) {
      // the listener stays with a connection that is closed: it may still break
      const isBroken = isLate || !isSqlError(error)
      if (!isBroken) client.off('error', ignore)
      client.release(isBroken)
      throw isBroken ? storeError(error, 'Unknown') : storeError(error)
    }
  }
}

function ignore(): void {}

/** True if the server refused a statement, so that its connection is in order. */
function isSqlError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?!08|57P)[0-9A-Z]{5}$/.test(String(error.code))
}
