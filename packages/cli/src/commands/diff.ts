import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand } from '../command/command.ts'
import { openHost } from '../host/host-link.ts'
import { type Line, styled } from '../output/span.ts'

type DefinitionChange = RouteAnswer<'diff'>['items'][number]

/** `trunkline diff`: what servers offer now against what was accepted. */
export const diffCommand = defineCommand({
  name: 'diff',
  group: 'host',
  summary: 'Shows what servers offer now against what you accepted, as a diff',
  usage: ['[SERVER]'],
  options: {},
  examples: [
    { line: 'trunkline diff', shows: 'every server' },
    { line: 'trunkline diff github', shows: 'what changed of one server, and what that means for its callers' },
  ],
  async run({ output, words }) {
    const [server] = words
    const { call } = await openHost()
    const { items, cannotTell } = await call('diff', server === undefined ? {} : { server })
    output.result({ changes: items, cannotTell }, () => [
      ...items.flatMap(changeLines),
      ...(items.length === 0 && cannotTell.length === 0 ? ['Nothing differs from what you accepted'] : []),
      ...cannotTell.map(({ server: name, why }): Line => [styled('warning', `${name} cannot be compared: `), why]),
    ])
    return undefined
  },
})

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
