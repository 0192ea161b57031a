import type { ProcessInbox, StoredEvent } from '@trunkline/mcp/http'
import { luaScript, nowInLua, primaryInLua } from './lua-script.ts'
import { inboxKey } from './presence.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Limits of one inbox. */
const maxEntriesPerInbox = 10_000
const maxBytesPerInbox = 67_108_864
/** Entries that are taken at once. */
const mostTaken = 1_000
/** A process that lapsed may come back: its inbox is kept for so long after the last entry. */
const maxInboxAgeMs = 86_400_000
/** More entries of an inbox than a failover can lose. */
const lostByFailover = 1_000_000_000

/** Inboxes in Redis, each a hash: the numbers of the first and the last entry, their bytes, the primary that gave the numbers, and a field per number. */
export class RedisInbox implements ProcessInbox {
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #channel: string

  constructor(connection: RedisConnection, prefix: string, channel: string) {
    this.#connection = connection
    this.#prefix = prefix
    this.#channel = channel
  }

  async post(epochs: readonly string[], entry: string): Promise<readonly string[]> {
    if (epochs.length === 0) return []
    const keys = [`${this.#prefix}leases`, ...epochs.map((epoch) => inboxKey(this.#prefix, epoch))]
    const limits = [maxEntriesPerInbox, maxBytesPerInbox, maxInboxAgeMs].map(String)
    const names = epochs.flatMap((epoch) => [epoch, JSON.stringify(epoch)])
    const got = await this.#connection.run(post, keys, [entry, this.#channel, ...limits, ...names])
    return got as readonly string[]
  }

  async take(epoch: string, after: number): Promise<readonly StoredEvent[]> {
    const values = [String(after), String(mostTaken)]
    const reply = await this.#connection.run(take, [inboxKey(this.#prefix, epoch)], values)
    const [first, ...entries] = reply as readonly string[]
    return entries.map((data, at) => ({ number: Number(first) + at, data }))
  }
}

// A failover may lose the last entries of an inbox, and the process that it is for may have their numbers. So at another primary
// all entries move above any number that was given before. Those that were handled come again; their ids tell.
const headInLua = `
${primaryInLua}
local function headOf(inbox)
  local head = redis.call('HMGET', inbox, 'first', 'last', 'bytes', 'primary')
  local first, last, bytes = tonumber(head[1]), tonumber(head[2]), tonumber(head[3])
  if not last or head[4] == primary then return first, last, bytes end
  local moved = ${lostByFailover}
  for number = first, last do
    redis.call('HSET', inbox, number + moved, redis.call('HGET', inbox, number))
    redis.call('HDEL', inbox, number)
  end
  redis.call('HSET', inbox, 'first', first + moved, 'last', last + moved, 'primary', primary)
  return first + moved, last + moved, bytes
end`

// an inbox begins at the time, so that one made anew goes on above the numbers of the old one
const post = luaScript(`
${nowInLua}
${headInLua}
local entry, channel, mostEntries, mostBytes, age = unpack(ARGV, 1, 5)
local got = {}
for at = 2, #KEYS do
  local inbox, epoch, name = KEYS[at], ARGV[2 * at + 2], ARGV[2 * at + 3]
  local lease = redis.call('ZSCORE', KEYS[1], epoch)
  if lease and tonumber(lease) > now then
    local first, last, bytes = headOf(inbox)
    last = last or math.floor(now * 1000)
    first = first or last + 1
    bytes = (bytes or 0) + #entry
    if last - first + 1 < tonumber(mostEntries) and bytes <= tonumber(mostBytes) then
      redis.call('HSET', inbox, 'first', first, 'last', last + 1, 'bytes', bytes, 'primary', primary, last + 1, entry)
      redis.call('PEXPIRE', inbox, age)
      redis.call('PUBLISH', channel, name)
      got[#got + 1] = epoch
    end
  end
end
return got`)

// numbers have more digits than Lua gives them as text by itself
const take = luaScript(`
${headInLua}
local first, last, bytes = headOf(KEYS[1])
if not last then return { '0' } end
local after = tonumber(ARGV[1])
if after > last then after = first - 1 end
if first <= after then
  for number = first, after do
    bytes = bytes - redis.call('HSTRLEN', KEYS[1], number)
    redis.call('HDEL', KEYS[1], number)
  end
  first = after + 1
  redis.call('HSET', KEYS[1], 'first', first, 'bytes', bytes)
end
local found = { string.format('%.0f', first) }
for number = first, math.min(last, first + ARGV[2] - 1) do
  found[#found + 1] = redis.call('HGET', KEYS[1], number)
end
return found`)
