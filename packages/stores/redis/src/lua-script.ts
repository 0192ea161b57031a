import { createHash } from 'node:crypto'

/** A step in Lua that Redis runs without anything in between, and the name under which Redis remembers it. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

/** Lines that set "now" to the time of Redis in milliseconds, as in `Date.now()`, with a fraction. */
export const nowInLua = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`

/** Makes a script of a text. */
export function luaScript(text: string): LuaScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

/** Lua that names the primary: a restart and a promotion give it another name, and may have lost what Redis confirmed. */
export const primaryInLua = `
local primary = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  .. string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')`
