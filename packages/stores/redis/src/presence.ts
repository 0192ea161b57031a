import { randomUUID } from 'node:crypto'
import { McpError } from '@trunkline/mcp'
import type { ClusterView, Presence, ProcessFacts } from '@trunkline/mcp/http'
import { luaScript, nowInLua, primaryInLua } from './lua-script.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Processes that live at the same time. */
const maxProcesses = 1_000

/**
 * Processes in Redis: one sorted set with the ends of their leases by the time of Redis, and a hash with the server and the
 * sealing keys of each.
 */
export class RedisPresence implements Presence {
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #keys: readonly string[]

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection
    this.#prefix = prefix
    this.#keys = ['leases', 'processes', 'history'].map((name) => prefix + name)
  }

  async beat({ epoch, server, sealingKeys }: ProcessFacts, leaseMs: number): Promise<ClusterView> {
    // JSON has no line breaks, so that the first one ends the server
    const values = [epoch, String(leaseMs), JSON.stringify(server), JSON.stringify(sealingKeys), randomUUID()]
    const reply = await this.#connection.run(beat, this.#keys, [...values, String(maxProcesses)])
    const [refused, now, generation, ...live] = reply as readonly [string, string, string, ...string[]]
    if (refused === 'server') throw this.#takenBy(now, server)
    if (refused === 'most')
      throw new McpError('Store', `Cannot join the cluster: ${maxProcesses} processes live; end some of them`)
    return { now: Number(now), generation, live: factsIn(live) }
  }

  async isLive(epoch: string): Promise<boolean> {
    return (await this.#connection.run(isLive, this.#keys.slice(0, 1), [epoch])) === 1
  }

  async leave(epoch: string): Promise<void> {
    await this.#connection.run(leave, [...this.#keys.slice(0, 2), inboxKey(this.#prefix, epoch)], [epoch])
  }

  #takenBy(other: string, server: string): McpError {
    const keys = `keys "${this.#prefix}*" for server ${JSON.stringify(server)}`
    return new McpError('Store', `Cannot use ${keys}: server ${other} uses them; give another "prefix"`)
  }
}

/** The key of an inbox. */
export function inboxKey(prefix: string, epoch: string): string {
  return `${prefix}inbox:${epoch}`
}

/** Processes from the pairs of an epoch and its facts. */
function factsIn(pairs: readonly string[]): readonly ProcessFacts[] {
  return pairs.flatMap((epoch, at) => {
    const [server, sealingKeys] = (pairs[at + 1] ?? '').split('\n')
    return at % 2 === 0 ? [{ epoch, server: JSON.parse(server ?? ''), sealingKeys: JSON.parse(sealingKeys ?? '') }] : []
  })
}

// a restart, a promotion and FLUSHALL each begin another history: Redis may have lost what it confirmed
const beat = luaScript(`
${nowInLua}
local leases, processes, history = KEYS[1], KEYS[2], KEYS[3]
local epoch, lease, server, keys, made, most = unpack(ARGV)
for _, lapsed in ipairs(redis.call('ZRANGE', leases, '-inf', now, 'BYSCORE')) do
  redis.call('ZREM', leases, lapsed)
  redis.call('HDEL', processes, lapsed)
end
if not redis.call('ZSCORE', leases, epoch) then
  for _, facts in ipairs(redis.call('HVALS', processes)) do
    local other = string.match(facts, '^[^\\n]*')
    if other ~= server then return { 'server', other } end
  end
  if redis.call('ZCARD', leases) >= tonumber(most) then return { 'most' } end
end
redis.call('ZADD', leases, now + lease, epoch)
redis.call('HSET', processes, epoch, server .. '\\n' .. keys)
redis.call('SET', history, made, 'NX')
${primaryInLua}
local ids = redis.call('GET', history) .. primary
local found = { '', string.format('%.0f', now), string.sub(redis.sha1hex(ids), 1, 16) }
for _, text in ipairs(redis.call('HGETALL', processes)) do found[#found + 1] = text end
return found`)

const isLive = luaScript(`
${nowInLua}
local lease = redis.call('ZSCORE', KEYS[1], ARGV[1])
return lease and tonumber(lease) > now and 1 or 0`)

const leave = luaScript(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])`)
