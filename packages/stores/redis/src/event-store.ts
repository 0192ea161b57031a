import type { AppendOptions, AppendRefusal, EventStore, StoredEvent, StreamHead } from '@trunkline/mcp/sqlite'
import { luaScript } from './lua-script.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Limits of the streams. */
interface StreamLimits {
  readonly maxEventsPerStream: number
  readonly maxEventAgeMs: number
}

/** Events in Redis. A stream is one hash, so that it expires as a whole: its head, and a field per number of an event. */
export class RedisEventStore implements Required<EventStore> {
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #limits: readonly [string, string]

  constructor(connection: RedisConnection, prefix: string, { maxEventsPerStream, maxEventAgeMs }: StreamLimits) {
    this.#connection = connection
    this.#prefix = `${prefix}stream:`
    this.#limits = [String(maxEventAgeMs), String(maxEventsPerStream)]
  }

  async append(stream: string, { number, data }: StoredEvent): Promise<void> {
    await this.#connection.run(append, this.#key(stream), [...this.#limits, data, String(number)])
  }

  async appendIf(
    stream: string,
    { number, data }: StoredEvent,
    { writer, closes = false }: AppendOptions = {},
  ): Promise<AppendRefusal | undefined> {
    const values = [
      ...this.#limits,
      data,
      String(number),
      closes ? 'closes' : '',
      ...(writer === undefined ? [] : [writer]),
    ]
    const refusal = await this.#connection.run(appendIf, this.#key(stream), values)
    return refusal === null ? undefined : (refusal as AppendRefusal)
  }

  async appendNext(stream: string, data: string): Promise<number | undefined> {
    const number = await this.#connection.run(appendNext, this.#key(stream), [...this.#limits, data])
    return number === null ? undefined : Number(number)
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    const reply = await this.#connection.send('HMGET', ...this.#key(stream), 'last', 'writer', 'closed')
    const [last, writer, closed] = reply as readonly (string | null)[]
    if (typeof last !== 'string') return undefined
    return { last: Number(last), isClosed: closed !== null, ...(typeof writer === 'string' && { writer }) }
  }

  async after(stream: string, number: number): Promise<readonly StoredEvent[] | undefined> {
    const found = await this.#connection.run(after, this.#key(stream), [String(number)])
    return found === null
      ? undefined
      : (found as readonly string[]).map((data, at) => ({ number: number + 1 + at, data }))
  }

  async drop(stream: string): Promise<void> {
    await this.#connection.send('DEL', ...this.#key(stream))
  }

  #key(stream: string): readonly [string] {
    return [this.#prefix + stream]
  }
}

const last = `(tonumber(redis.call('HGET', KEYS[1], 'last')) or 0)`

/** Stores the event `number` and drops the one that is too many; the head stays. */
const store = `
redis.call('HSET', KEYS[1], 'last', math.max(number, ${last}), number, ARGV[3])
redis.call('HDEL', KEYS[1], number - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])`

const append = luaScript(`
local number = tonumber(ARGV[4])
${store}`)

const appendIf = luaScript(`
local number, writer = tonumber(ARGV[4]), ARGV[6]
local known = redis.call('HGET', KEYS[1], 'writer')
if redis.call('HEXISTS', KEYS[1], 'closed') == 1 then return 'closed' end
if writer and known and known ~= writer then return 'writer' end
if number ~= ${last} + 1 then return 'number' end
${store}
if writer then redis.call('HSET', KEYS[1], 'writer', writer) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'closed', 1) end
return false`)

const appendNext = luaScript(`
if redis.call('HEXISTS', KEYS[1], 'closed') == 1 then return false end
local number = ${last} + 1
${store}
return number`)

// stops at the first event that is missing
const after = luaScript(`
local from, last = tonumber(ARGV[1]), ${last}
if last == 0 or from > last then return false end
local events = {}
for number = from + 1, last do
  local data = redis.call('HGET', KEYS[1], number)
  if not data then return false end
  events[#events + 1] = data
end
return events`)
