import { matchesGlob } from '@trunkline/base/glob'
import type { ToolClass } from '../act/act.ts'
import { serverNameOf } from '../act/server-key.ts'
import type { Entry } from './entry.ts'
import { aggregateName } from './names.ts'

/** The person's settings for the tools of a server. */
export interface ToolSettings {
  /** Only these tools are offered; `*` stands for any characters. */
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** Other names, by the server's own. */
  readonly rename?: { readonly [tool: string]: string }
  readonly describe?: { readonly [tool: string]: string }
  /** Classes of tools, where the person knows better. */
  readonly classes?: { readonly [tool: string]: ToolClass }
  /** Definitions of a lock that came with the project; it can only tighten. */
  readonly locked?: LockedDefinitions
}

/** The definitions of a server in a lock; others are not locked. */
export interface LockedDefinitions {
  readonly tools?: { readonly [name: string]: { readonly hash: string; readonly class: ToolClass } }
  readonly prompts?: { readonly [name: string]: { readonly hash: string } }
  readonly templates?: { readonly [name: string]: { readonly hash: string } }
  readonly instructions?: { readonly [name: string]: { readonly hash: string } }
  readonly skills?: { readonly [name: string]: { readonly hash: string } }
}

/** The table of a lock that holds the definitions of a kind. */
export const lockedKinds = {
  tool: 'tools',
  prompt: 'prompts',
  template: 'templates',
  instructions: 'instructions',
  skill: 'skills',
} as const satisfies { readonly [Kind in Entry['kind']]: keyof LockedDefinitions }

/** True if a lock lets a definition be accepted together with its server. */
export function isLocked(
  locked: LockedDefinitions | undefined,
  { kind, original }: Pick<Entry, 'kind' | 'original'>,
  hash: string | undefined,
): boolean {
  return locked === undefined || own<{ readonly hash: string }>(locked[lockedKinds[kind]], original)?.hash === hash
}

/** An entry as the person wants it shown; calls still reach the server under its own name. */
export function presented(entry: Entry, toolSettings: ToolSettings): Entry {
  if (entry.kind !== 'tool') return entry
  const { original, server } = entry
  const shown = own(toolSettings.rename, original) ?? original
  const description = own(toolSettings.describe, original)
  return {
    ...entry,
    ...hiddenBy(entry, toolSettings),
    shown,
    name: aggregateName(serverNameOf(server), shown),
    class: stricter(
      own(toolSettings.classes, original) ?? entry.class,
      own(toolSettings.locked?.tools, original)?.class,
    ),
    definition: description === undefined ? entry.definition : { ...entry.definition, description },
  }
}

function hiddenBy({ original }: Entry, { only, except = [] }: ToolSettings): Partial<Entry> {
  const isOffered = only === undefined || only.some((pattern) => matchesGlob(pattern, original))
  if (isOffered && !except.some((pattern) => matchesGlob(pattern, original))) return {}
  return { standing: 'hidden', why: 'the configuration does not offer it' }
}

/** From the most harmless on. */
const strictness: readonly ToolClass[] = ['reads', 'writes', 'unknown', 'destroys']

/** The class of two that asks more. */
export function stricter(one: ToolClass, other: ToolClass = one): ToolClass {
  return strictness.indexOf(other) > strictness.indexOf(one) ? other : one
}

function own<Value>(table: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}
