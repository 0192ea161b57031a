import type { RouteAnswer } from '@trunkline/host/api'
import { type Line, styled } from '../output/span.ts'

/** A definition that is not the accepted one. */
export type DefinitionChange = RouteAnswer<'diff'>['items'][number]

/** One definition as a diff: lines that are gone, lines that came, and what each means. */
export function changeLines({
  server,
  name,
  change,
  differences,
  findings,
}: Pick<DefinitionChange, 'server' | 'name' | 'change' | 'differences' | 'findings'>): readonly Line[] {
  return [
    [styled('strong', change), ' ', styled('name', `${server}:${name}`)],
    ...findings.map((finding): Line => styled('warning', `! ${finding}`)),
    ...differences.flatMap(({ at, before, after, meaning }): Line[] => [
      styled('faint', `@ ${at} (${meaning})`),
      ...(before === undefined ? [] : textOf(before).map((line) => styled('bad', `- ${line}`))),
      ...(after === undefined ? [] : textOf(after).map((line) => styled('good', `+ ${line}`))),
    ]),
  ]
}

/** An entry of a question about definitions. */
interface AskedEntry {
  readonly name: string
  readonly standing: string
  readonly changes: DefinitionChange['differences']
  readonly findings?: readonly (string | { readonly at: string; readonly why: string })[]
  readonly definition?: { readonly [key: string]: unknown }
}

/** Lines for the changes that a question asks to accept, as `trunkline diff` shows it. */
export function offeredLines(server: string, { entries }: { readonly entries?: unknown }): readonly Line[] {
  return (Array.isArray(entries) ? (entries as readonly AskedEntry[]) : []).flatMap((entry) => {
    const { name, standing, changes, findings = [], definition = {} } = entry
    const isNew = standing === 'new'
    const whole = Object.entries(definition).map(([at, after]) => ({ at, before: undefined, after, meaning: 'new' }))
    return changeLines({
      ...{ server, name, change: isNew ? 'new' : 'changed' },
      differences: isNew ? whole : changes,
      findings: findings.map((one) => (typeof one === 'string' ? one : `${one.at} ${one.why}`)),
    })
  })
}

function textOf(value: unknown): readonly string[] {
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n')
}
