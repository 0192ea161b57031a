import type { SessionChange, SessionRecord, SessionStore, VersionedSession } from '@trunkline/mcp/sqlite'
import { luaScript } from './lua-script.ts'
import type { RedisConnection } from './redis-connection.ts'

/**
 * Sessions in Redis, each a hash: its record, its version, and a field per changed key with the number of its place and
 * the message.
 */
export class RedisSessionStore implements Required<SessionStore> {
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #ageMs: string

  constructor(connection: RedisConnection, prefix: string, maxSessionAgeMs: number) {
    this.#connection = connection
    this.#prefix = `${prefix}session:`
    this.#ageMs = String(maxSessionAgeMs)
  }

  async save(id: string, record: SessionRecord): Promise<void> {
    await this.#connection.run(save, this.#key(id), [this.#ageMs, JSON.stringify(record)])
  }

  async load(id: string): Promise<SessionRecord | undefined> {
    return (await this.read(id))?.record
  }

  async read(id: string): Promise<VersionedSession | undefined> {
    const found = (await this.#connection.run(read, this.#key(id), [this.#ageMs])) as readonly string[] | null
    if (!found) return undefined
    const [version, json, ...changes] = found
    const record = JSON.parse(json as string) as SessionRecord
    const messages = changes.length === 0 ? record.messages : [...record.messages, ...messagesIn(changes)]
    return { record: { ...record, messages }, version: Number(version) }
  }

  async version(id: string): Promise<number | undefined> {
    return versionIn(await this.#connection.run(readVersion, this.#key(id), [this.#ageMs]))
  }

  async change(id: string, { key, message }: SessionChange): Promise<number | undefined> {
    const values = [this.#ageMs, JSON.stringify(key), ...(message ? [JSON.stringify(message)] : [])]
    return versionIn(await this.#connection.run(change, this.#key(id), values))
  }

  async drop(id: string): Promise<void> {
    await this.#connection.send('DEL', ...this.#key(id))
  }

  #key(id: string): readonly [string] {
    return [this.#prefix + id]
  }
}

function versionIn(reply: unknown): number | undefined {
  return reply === null ? undefined : Number(reply)
}

/** Messages of changed keys in order of appearance; Redis gives the fields of a hash in no order. */
function messagesIn(changes: readonly string[]): SessionRecord['messages'] {
  return changes
    .map((text) => ({ place: Number.parseInt(text, 10), message: JSON.parse(text.slice(text.indexOf(' '))) }))
    .sort((one, other) => one.place - other.place)
    .map(({ message }) => message)
}

const save = luaScript(`
local version = (redis.call('HGET', KEYS[1], 'version') or 0) + 1
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'version', version, 'record', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])`)

// a place is the version at which the key appeared
const change = luaScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
local field = 'key ' .. ARGV[2]
if ARGV[3] then
  local known = redis.call('HGET', KEYS[1], field)
  local place = known and string.match(known, '^%d+') or version
  redis.call('HSET', KEYS[1], field, place .. ' ' .. ARGV[3])
else
  redis.call('HDEL', KEYS[1], field)
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return version`)

// a use within a minute is not written down again, so that reading a session writes nothing
const touch = `if redis.call('PTTL', KEYS[1]) < ARGV[1] - 60000 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end`

const readVersion = luaScript(`
local version = redis.call('HGET', KEYS[1], 'version')
if version then ${touch} end
return version`)

const read = luaScript(`
local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 then return false end
${touch}
local found = { '', '' }
for at = 1, #fields, 2 do
  if fields[at] == 'version' then found[1] = fields[at + 1]
  elseif fields[at] == 'record' then found[2] = fields[at + 1]
  else found[#found + 1] = fields[at + 1] end
end
return found`)
