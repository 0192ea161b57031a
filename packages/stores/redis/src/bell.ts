import type { Bell } from '@trunkline/mcp/http'
import type { RedisClient } from './driver.ts'
import { luaScript } from './lua-script.ts'
import { RedisConnection } from './redis-connection.ts'

/** Names of one ring; more are rung as one without a name. */
const mostNames = 100
/** Time between two looks whether the connection that listens still answers. */
const betweenLooksMs = 10_000

type Listener = (name?: string) => void

/** Rings by PUBLISH, and listens on a connection of its own, which is made again when it breaks. */
export class RedisBell implements Bell {
  readonly #rings: RedisConnection
  readonly #channel: string
  readonly #listeners = new Set<Listener>()
  #listening: RedisConnection | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  private constructor(rings: RedisConnection, channel: string) {
    this.#rings = rings
    this.#channel = channel
  }

  /** Begins to listen as the given client would; rings go over another connection. */
  static async open(rings: RedisConnection, channel: string, like: RedisClient): Promise<RedisBell> {
    const bell = new RedisBell(rings, channel)
    bell.#listening = await RedisConnection.open(like, rings.deadlineMs, async (client) => {
      await client.subscribe(channel, (text) => bell.#hear(text))
      // what was rung before was missed
      bell.#tell()
    })
    // one that is held on its way says nothing by itself; when no answer comes, the connection is made again
    bell.#timer = setInterval(() => void bell.#listening?.send('PING').catch(() => {}), betweenLooksMs)
    bell.#timer.unref()
    return bell
  }

  async ring(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const texts = names.length > mostNames ? [''] : names.map((name) => JSON.stringify(name))
    await this.#rings.run(ring, [], [this.#channel, ...texts])
  }

  listen(onRing: Listener): () => void {
    // the same function may listen twice
    const listener: Listener = (name) => onRing(name)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#listening?.close()
  }

  #hear(text: string): void {
    this.#tell(text === '' ? undefined : (JSON.parse(text) as string))
  }

  #tell(name?: string): void {
    for (const listener of this.#listeners) listener(name)
  }
}

const ring = luaScript(`
for at = 2, #ARGV do redis.call('PUBLISH', ARGV[1], ARGV[at]) end`)
