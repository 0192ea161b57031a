import { createHash } from 'node:crypto'

/** A step in Lua that Redis runs without anything in between, and the name under which Redis remembers it. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

/** Makes a script of a text. */
export function luaScript(text: string): LuaScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
