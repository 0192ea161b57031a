import { McpError } from '../../wire/errors.ts'
import { kindOf } from '../../wire/kind-of.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import { didYouMean } from '../../wire/near-name.ts'

/** Changes that a tool makes, for people and for the policy of a host. */
export interface Effects {
  /** Paths or patterns that it reads. */
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  readonly deletes?: readonly string[]
  /** Hosts that it talks to. */
  readonly network?: readonly string[]
  /** Cost of a call, in words. */
  readonly cost?: string
}

/** Rule for the calls of a tool that may run at the same time. */
export type Concurrency = 'parallel' | 'serial' | { readonly by: readonly string[] }

/** Influence on a result beside the arguments. */
export type Variation = 'time' | 'random' | 'network' | 'state'

/** Declarations of a tool about itself, as it is listed. */
export interface ToolTerms {
  readonly version?: string
  /** End of the time that callers may use it, and its replacement. */
  readonly deprecated?: { readonly until?: string; readonly instead?: string }
  readonly effects?: Effects
  readonly concurrency?: Concurrency
  /** Influences on its results beside the arguments; an empty list says that there are none. */
  readonly varies?: readonly Variation[]
  /** `true`: a repeat does no harm; "by key": with an idempotency key; "by steps": a repeat goes on where the last one ended. */
  readonly idempotent?: true | 'by key' | 'by steps'
  /** Milliseconds that a call may take. */
  readonly timeoutMs?: number
  /** The signals that its handler takes while it runs: what each does, by name. */
  readonly signals?: { readonly [name: string]: string }
  /** True if it can tell its effects beforehand. */
  readonly preview?: true
}

type Check = (value: unknown) => string | undefined

const isTexts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'a list of texts'

const checks: { readonly [name: string]: Check } = {
  version: (value) => (typeof value === 'string' && value !== '' ? undefined : 'a text such as "2"'),
  deprecated: (value) =>
    isObject(value) && hasOnly(value, ['until', 'instead'], (each) => typeof each === 'string')
      ? undefined
      : 'an object of texts, with "until" and "instead"',
  effects: checkEffects,
  concurrency: checkConcurrency,
  varies: (value) =>
    Array.isArray(value) && value.every((each) => variations.includes(each))
      ? undefined
      : `a list of ${variations.map((each) => `"${each}"`).join(', ')}`,
  idempotent: (value) =>
    value === true || value === 'by key' || value === 'by steps' ? undefined : 'true, "by key" or "by steps"',
  timeoutMs: (value) =>
    typeof value === 'number' && value > 0 && value <= 2_147_483_647 ? undefined : 'a number of milliseconds above 0',
  signals: checkSignals,
  preview: (value) => (typeof value === 'function' ? undefined : 'a function'),
}

const variations: readonly unknown[] = ['time', 'random', 'network', 'state'] satisfies Variation[]
const effectKinds = ['reads', 'writes', 'deletes', 'network']

/** The members that the contract adds to the definition of a tool. */
export const contractFields: readonly string[] = Object.keys(checks)

/** The terms of a tool from its definition; throws for those that make no sense. */
export function toolTermsOf(tool: string, definition: Fields): ToolTerms | undefined {
  const given = contractFields.filter((name) => definition[name] !== undefined)
  for (const name of given) {
    const wanted = checks[name]?.(definition[name])
    if (wanted === undefined) continue
    // an object that is wrong inside is told so by what is wanted
    const given = isObject(definition[name]) ? '' : `, not ${kindOf(definition[name])}`
    throw new McpError('Misuse', `Cannot add tool "${tool}": "${name}" must be ${wanted}${given}`)
  }
  if (given.length === 0) return undefined
  return Object.fromEntries(given.map((name) => [name, name === 'preview' ? true : definition[name]]))
}

function checkEffects(value: unknown): string | undefined {
  if (!isObject(value)) return 'an object such as { writes: ["./dist/**"] }'
  const stray = Object.keys(value).find((kind) => kind !== 'cost' && !effectKinds.includes(kind))
  if (stray !== undefined)
    return `an object with "reads", "writes", "deletes", "network" and "cost" only; it has "${stray}"${didYouMean(stray, [...effectKinds, 'cost'])}`
  if (value.cost !== undefined && typeof value.cost !== 'string') return 'an object whose "cost" is a text'
  const wrong = effectKinds.find((kind) => value[kind] !== undefined && isTexts(value[kind]) !== undefined)
  return wrong === undefined ? undefined : `an object whose "${wrong}" is a list of texts`
}

function hasOnly(value: Fields, names: readonly string[], fits: (each: unknown) => boolean): boolean {
  return Object.entries(value).every(([name, each]) => names.includes(name) && (each === undefined || fits(each)))
}

const maxSignals = 32

function checkSignals(value: unknown): string | undefined {
  const wanted = `an object such as { reload: "Reads its files again" }, with at most ${maxSignals} members`
  if (!isObject(value)) return wanted
  const all = Object.entries(value)
  const isGood = all.every(([name, what]) => /^[A-Za-z][\w-]{0,63}$/.test(name) && typeof what === 'string')
  return isGood && all.length > 0 && all.length <= maxSignals ? undefined : wanted
}

function checkConcurrency(value: unknown): string | undefined {
  if (value === 'parallel' || value === 'serial') return undefined
  if (isObject(value) && isTexts(value.by) === undefined && (value.by as readonly string[]).length > 0) return undefined
  return '"parallel", "serial" or { by: [names of arguments] }'
}
