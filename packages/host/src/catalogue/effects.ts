import type { Fields } from '@trunkline/mcp'
import type { Effects } from '@trunkline/mcp/contract'
import type { ToolClass } from '../act/act.ts'
import { contractKey } from '../servers/contract-key.ts'
import type { Entry } from './entry.ts'

const kinds = ['reads', 'writes', 'deletes', 'network'] as const
const none: readonly string[] = []

/** Definitions stay as they are, and a call must not read one again. */
const known = new WeakMap<Fields, readonly string[]>()

/**
 * Declared effects of a tool, as rules name them: the kind alone, such as `writes`, and each thing, such as
 * `writes:./dist/**` or `network:api.example.com`. They are the word of its server, so they can only tighten.
 */
export function effectsOf(definition: Fields): readonly string[] {
  if (definition._meta === undefined) return none
  const cached = known.get(definition)
  if (cached) return cached
  const effects = declared(definition)
  const named = kinds.flatMap((kind) => {
    const things = texts(effects[kind])
    return things.length === 0 ? [] : [kind, ...things.map((thing) => `${kind}:${thing}`)]
  })
  const all = typeof effects.cost === 'string' ? [...named, 'cost'] : named
  known.set(definition, all)
  return all
}

/** The class of a tool, made stricter if the tool itself declares more effects. */
export function tightened(proposed: ToolClass, definition: Fields): ToolClass {
  const effects = effectsOf(definition)
  if (effects.includes('deletes')) return 'destroys'
  return effects.includes('writes') && proposed === 'reads' ? 'writes' : proposed
}

/** A sandbox with the paths that a server's tools declare to write, in words; undefined if none declares any. */
export function proposedSandbox(entries: readonly Entry[]): string | undefined {
  const tools = entries.filter(({ kind }) => kind === 'tool')
  const saying = tools.filter(({ definition }) => effectsOf(definition).length > 0)
  if (saying.length === 0) return undefined
  const effects = saying.map(({ definition }) => declared(definition))
  const patterns = effects.flatMap(({ writes, deletes }) => [...texts(writes), ...texts(deletes)])
  const writable = [...new Set(patterns.map(folderOf))]
  const hosts = [...new Set(effects.flatMap(({ network }) => texts(network)))]
  const sandbox = { writable, ...(hosts.length === 0 && saying.length === tools.length && { network: false }) }
  const reaches = hosts.length === 0 ? '' : ` and reach ${hosts.join(', ')}`
  const who = saying.length === tools.length ? 'Its tools say' : `${saying.length} of its ${tools.length} tools say`
  return `${who} that they write ${writable.join(', ') || 'nothing'}${reaches}; "sandbox": ${JSON.stringify(sandbox)} holds them to it`
}

function declared({ _meta }: Fields): { readonly [Member in keyof Effects]: unknown } {
  const terms = (_meta as Fields | undefined)?.[contractKey] as Fields | undefined
  const effects = terms?.effects
  return typeof effects === 'object' && effects !== null ? effects : {}
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : none
}

/** The folder that all of a pattern lies in. */
function folderOf(pattern: string): string {
  const [before = ''] = pattern.split('*', 1)
  if (before === pattern) return pattern
  return before.slice(0, before.lastIndexOf('/')) || (before.startsWith('/') ? '/' : '.')
}
