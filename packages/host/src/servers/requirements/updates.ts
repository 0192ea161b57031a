import type { Client, Fields } from '@trunkline/mcp'
import type { Updates } from '@trunkline/mcp/contract'
import { contractKey } from '../contract-key.ts'
import { manifestOf, type StartedProgram, scriptOf } from './declared.ts'

type Variables = { readonly [name: string]: string }

/** The variables that a server may have set for it. */
const maxVariables = 8
/** Names of variables that a server can have set: those about updates, since others have a meaning of their own. */
const aboutUpdates = /^(?=[A-Za-z_]\w{0,63}$)\w*(?:updat|upgrad)/i
const maxFromChars = 200
const plainValue = /^[\w.:-]{0,64}$/

/** Updates that a program's package declares under `mcp.updates`, known before it is started. */
export function declaredUpdates(target: StartedProgram, program: string): Updates | undefined {
  const script = scriptOf(target, program)
  return script === undefined ? undefined : soundUpdates(manifestOf(script)?.mcp?.updates)
}

/** Updates that a program declares when it runs. */
export function updatesSaid({ capabilities }: Pick<Client, 'capabilities'>): Updates | undefined {
  const declared = (capabilities.extensions as Fields | undefined)?.[contractKey] as Fields | undefined
  return soundUpdates(declared?.updates)
}

/** The members that have the right form. */
export function soundUpdates(value: unknown): Updates | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { by, from, off } = value as { readonly [Member in keyof Updates]?: unknown }
  if (by !== 'host' && by !== 'itself') return undefined
  const variables = Object.entries(typeof off === 'object' && off !== null ? off : {})
    .filter((one): one is [string, string] => typeof one[1] === 'string')
    .slice(0, maxVariables)
  return {
    by,
    ...(typeof from === 'string' && from !== '' && { from: from.slice(0, maxFromChars) }),
    ...(variables.length > 0 && { off: Object.fromEntries(variables) }),
  }
}

/** The variables that turn the updates of a program off and may be set for it; those that are configured stay as they are. */
export function updatesOff(updates: Updates | undefined, env: Variables): Variables {
  const off = updates?.by === 'itself' ? Object.entries(updates.off ?? {}) : []
  return Object.fromEntries(off.filter(([name, value]) => env[name] === undefined && isAboutUpdates(name, value)))
}

function isAboutUpdates(name: string, value: string): boolean {
  return aboutUpdates.test(name) && plainValue.test(value)
}

/** Describes to a person how a program with these variables updates itself; undefined if it does not. */
export function updatesInWords(
  updates: Updates | undefined,
  env: Variables,
  source: string | undefined,
): string | undefined {
  if (updates?.by !== 'itself') return undefined
  const says = `It says that it replaces itself with newer versions${updates.from === undefined ? '' : ` from ${updates.from}`}`
  const confine = 'a "sandbox" that cannot write its program keeps it as you accepted it'
  const off = Object.entries(updates.off ?? {})
  if (off.length === 0) return `${says}, and names no way to turn that off; ${confine}`
  const stray = off.find(([name, value]) => !isAboutUpdates(name, value))
  if (stray)
    return `${says}; ${stray[0].slice(0, 64)} is not set on its word, as it may be about more than that; ${confine}`
  const on = off.filter(([name, value]) => env[name] !== value)
  if (on.length === 0) return `${says}; ${off.map(([name]) => name).join(', ')} turns that off`
  const settings = on.map(([name, value]) => `${name}=${value}`).join(' ')
  const where = source === undefined ? '' : ` (${source})`
  return `${says}; to keep it as you accepted it, set ${settings} under "env" of this server${where}`
}
