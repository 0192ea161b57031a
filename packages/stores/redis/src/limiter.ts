import type { Limiter, NamedRate, RateRefusal } from '@trunkline/mcp'
import { luaScript, nowInLua } from './lua-script.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Rates that all processes count together, by the time of Redis. A key is gone when its rate is as good as unused. */
export class RedisLimiter implements Limiter {
  readonly #connection: RedisConnection
  readonly #prefix: string

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection
    this.#prefix = `${prefix}rate:`
  }

  async take(rates: readonly NamedRate[]): Promise<RateRefusal | undefined> {
    if (rates.length === 0) return undefined
    const keys = rates.map(({ key }) => this.#prefix + JSON.stringify(key))
    const values = rates.flatMap(({ intervalMs, burst }) => [String(intervalMs), String(burst)])
    const refused = (await this.#connection.run(take, keys, values)) as readonly [number, string] | null
    const rate = refused && rates[refused[0] - 1]
    return rate ? { key: rate.key, afterMs: Number(refused[1]) } : undefined
  }
}

// numbers of Lua are cut to integers in an answer, so that fractions go as text
const take = luaScript(`
${nowInLua}
local used = {}
local refused, longest = nil, 0.001
for at, key in ipairs(KEYS) do
  used[key] = math.max(tonumber(redis.call('GET', key) or 0), now)
  local wait = used[key] - (ARGV[2 * at] - 1) * ARGV[2 * at - 1] - now
  if wait > longest then refused, longest = at, wait end
end
if refused then return { refused, string.format('%.17g', longest) } end
for at, key in ipairs(KEYS) do used[key] = used[key] + ARGV[2 * at - 1] end
for key, time in pairs(used) do
  redis.call('SET', key, string.format('%.17g', time), 'PX', string.format('%.0f', math.ceil(time - now)))
end
return false`)
