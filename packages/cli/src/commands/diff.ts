import { defineCommand } from '../command/command.ts'
import { changeLines } from '../host/definition-change.ts'
import { openHost } from '../host/host-link.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline diff`: what servers offer now against what was accepted. */
export const diffCommand = defineCommand({
  name: 'diff',
  group: 'host',
  needs: 'nothing',
  summary: 'Shows how the tools that servers offer now differ from those you accepted',
  usage: ['[SERVER]'],
  options: {},
  json: '`{ changes: […], cannotTell: [{ server, why }] }`',
  examples: [
    { line: 'trunkline diff', shows: 'every server' },
    { line: 'trunkline diff github', shows: 'what changed in one server, and what that means for its callers' },
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
