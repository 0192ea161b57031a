import type { RouteAnswer } from '@trunkline/host/api'
import { type Line, styled } from '../output/span.ts'

/** A definition that is not the accepted one. */
export type DefinitionChange = RouteAnswer<'diff'>['items'][number]

/** One definition as a diff: lines that are gone, lines that came, and what each means. */
export function changeLines({ server, name, change, differences, findings }: DefinitionChange): readonly Line[] {
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

function textOf(value: unknown): readonly string[] {
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n')
}
