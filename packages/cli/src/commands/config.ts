import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'

/** `trunkline config`: where settings come from. */
export const configCommand = defineCommand({
  name: 'config',
  group: 'host',
  summary: 'Tells where the value of a setting came from, and what it hid',
  usage: ['explain KEY'],
  options: {},
  json: '`{ items: [{ key, lines, … }] }`',
  examples: [
    { line: 'trunkline config explain host.port', shows: 'one value, with every layer that says something of it' },
    { line: 'trunkline config explain mcpServers.github', shows: 'all that is said of a server' },
  ],
  async run({ output, words }) {
    const [verb, key] = words
    if (verb !== 'explain' || key === undefined) {
      throw usageFailure(`Cannot do "config ${words.join(' ')}"`, 'Write: trunkline config explain KEY')
    }
    const { call } = await openHost()
    const { items } = await call('explainConfig', { key })
    output.result({ items }, () => items.flatMap(({ lines }) => lines))
    return undefined
  },
})
