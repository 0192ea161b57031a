import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import { instructionsAsList, nameOf, type Offered, type ReviewedEntry } from './catalogue.ts'
import { proposedClass } from './classify.ts'
import { type Difference, definitionDiff } from './definition-diff.ts'
import { definitionHash } from './definition-hash.ts'
import { tightened } from './effects.ts'
import type { Entry } from './entry.ts'
import { scan } from './scan.ts'

/** A definition that is not the accepted one, for a person. */
export interface DefinitionChange {
  readonly server: ServerKey
  readonly kind: Entry['kind']
  readonly name: string
  readonly change: 'new' | 'changed' | 'gone'
  readonly class: ToolClass
  /** Findings of the scanner in the new definition. */
  readonly findings: string[]
  readonly differences: Omit<Difference, 'why'>[]
}

/** Differences between the known offers of a server and the accepted ones. */
export function knownChanges(reviewed: readonly ReviewedEntry[]): DefinitionChange[] {
  return reviewed.flatMap((entry) => {
    const isAccepted = entry.standing !== 'new'
    if (isAccepted && entry.offeredHash === entry.hash) return []
    const offered = entry.offeredHash === undefined ? undefined : (entry.offered ?? entry.definition)
    return [changeBetween(entry, isAccepted ? entry.definition : undefined, offered)]
  })
}

/** Differences between the offers that a server would have and the accepted ones. */
export function changesTo(server: ServerKey, reviewed: readonly ReviewedEntry[], offered: Offered): DefinitionChange[] {
  const accepted = reviewed.filter(({ standing }) => standing !== 'new')
  const now = offeredEntries(offered)
  const known = ({ kind, original }: Pick<Entry, 'kind' | 'original'>) =>
    accepted.find((entry) => entry.kind === kind && entry.original === original)
  const came = now.flatMap((one) => {
    const before = known(one)
    if (before?.hash === definitionHash(one.definition)) return []
    return [changeBetween(before ?? { ...one, server, class: classOf(one) }, before?.definition, one.definition)]
  })
  const gone = accepted.filter(
    ({ kind, original }) => !now.some((one) => one.kind === kind && one.original === original),
  )
  return [...came, ...gone.map((entry) => changeBetween(entry, entry.definition, undefined))]
}

/** Everything in a list of offers, each with its kind and name. */
export function offeredEntries({ tools, prompts, templates, skills = [], instructions }: Offered) {
  const said = instructionsAsList(instructions)
  const lists = { tool: tools, prompt: prompts, instructions: said, template: templates, skill: skills } as const
  const kinds = Object.keys(lists) as (keyof typeof lists)[]
  return kinds.flatMap((kind) =>
    lists[kind].map((definition) => ({ kind, original: nameOf(kind, definition), definition })),
  )
}

function changeBetween(
  { server, kind, original: name, class: decided }: Pick<Entry, 'server' | 'kind' | 'original' | 'class'>,
  accepted: Fields | undefined,
  offered: Fields | undefined,
): DefinitionChange {
  const about = { server, kind, name, class: decided }
  if (offered === undefined) return { ...about, change: 'gone', findings: [], differences: [] }
  const differences = definitionDiff(accepted ?? {}, offered).map(({ why: _, ...rest }) => rest)
  const findings = scan(offered).map(({ at, why }) => `${at} ${why}`)
  return { ...about, change: accepted === undefined ? 'new' : 'changed', findings, differences }
}

function classOf({ kind, original, definition }: { kind: Entry['kind']; original: string; definition: Fields }) {
  if (kind !== 'tool') return 'reads'
  return tightened(proposedClass(original, definition.annotations as Fields | undefined), definition)
}
