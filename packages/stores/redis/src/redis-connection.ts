import { McpError } from '@trunkline/mcp'
import { assertUsable } from './assert-usable.ts'
import { plainClient, type RedisClient } from './driver.ts'
import type { LuaScript } from './lua-script.ts'
import { storeError } from './store-error.ts'

/** Longest wait between two attempts to connect again. */
const longestWaitMs = 2_000

/** Does what each new connection needs before it is used. */
type Prepare = (client: RedisClient) => Promise<void>

/**
 * Runs scripts over one connection. Each has a deadline: when it passes, the connection is closed, and the outcome is
 * unknown. A connection that is gone is made again in the background; until then everything fails at once.
 */
export class RedisConnection {
  readonly #like: RedisClient
  readonly deadlineMs: number
  readonly #prepare: Prepare
  #client: RedisClient | undefined
  #problem = new McpError('Store', 'Cannot use Redis: there is no connection yet')
  #retry: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  private constructor(like: RedisClient, deadlineMs: number, prepare: Prepare) {
    this.#like = like
    this.deadlineMs = deadlineMs
    this.#prepare = prepare
  }

  /** Connects as the given client would; rejects with what to do if that fails, or the server cannot be used. */
  static async open(
    like: RedisClient,
    deadlineMs: number,
    prepare: Prepare = async () => {},
  ): Promise<RedisConnection> {
    const connection = new RedisConnection(like, deadlineMs, prepare)
    await connection.#connect()
    return connection
  }

  /** Runs a script, which is one atomic step. */
  run(script: LuaScript, keys: readonly string[], values: readonly string[] = []): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values]
    return this.#within((client) =>
      client.sendCommand(['EVALSHA', script.sha, ...rest]).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
        return client.sendCommand(['EVAL', script.text, ...rest])
      }),
    )
  }

  /** Runs one command. */
  send(...command: readonly string[]): Promise<unknown> {
    return this.#within((client) => client.sendCommand(command))
  }

  close(): void {
    this.#isClosed = true
    this.#problem = new McpError('Store', 'Cannot use Redis: its stores were closed', { outcome: 'NotSent' })
    clearTimeout(this.#retry)
    this.#client?.destroy()
    this.#client = undefined
  }

  async #within(work: (client: RedisClient) => Promise<unknown>): Promise<unknown> {
    const client = this.#client
    if (!client) throw new McpError('Store', this.#problem.message, { outcome: 'NotSent', cause: this.#problem })
    try {
      return await this.#beforeDeadline(client, work(client))
    } catch (error) {
      throw client.isReady ? storeError(error) : storeError(error, 'Unknown')
    }
  }

  async #connect(): Promise<void> {
    const client = plainClient(this.#like, this.deadlineMs)
    client.on('error', (error) => this.#lose(client, error))
    try {
      await this.#beforeDeadline(client, client.connect())
      assertUsable(String(await this.#beforeDeadline(client, client.sendCommand(['INFO']))))
      await this.#beforeDeadline(client, this.#prepare(client))
    } catch (error) {
      client.destroy()
      throw storeError(error)
    }
    if (this.#isClosed) client.destroy()
    else this.#client = client
  }

  async #beforeDeadline<Value>(client: RedisClient, work: Promise<Value>): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new McpError('Store', `Cannot use Redis: no answer in ${this.deadlineMs} ms`, {
          outcome: 'Unknown',
        })
        reject(error)
        this.#lose(client, error)
      }, this.deadlineMs)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #lose(client: RedisClient, error: unknown): void {
    client.destroy()
    // one that was never used, or was lost before
    if (this.#client !== client) return
    this.#client = undefined
    this.#problem = storeError(error)
    this.#connectAgain(0)
  }

  #connectAgain(waitMs: number): void {
    if (this.#isClosed) return
    // processes that lost the same server do not come back at the same time
    this.#retry = setTimeout(
      () => {
        this.#connect().catch((error: McpError) => {
          if (!this.#isClosed) this.#problem = error
          this.#connectAgain(Math.min(longestWaitMs, 50 + 2 * waitMs))
        })
      },
      waitMs * (0.5 + Math.random() / 2),
    )
  }
}
