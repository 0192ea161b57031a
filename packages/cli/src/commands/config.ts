import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'

/** `trunkline config`: where settings come from. */
export const configCommand = defineCommand({
  name: 'config',
  group: 'host',
  needs: 'nothing',
  summary: 'Shows where the value of a setting comes from, and which values it overrides',
  usage: ['explain KEY'],
  options: {},
  json: '`{ items: [{ key, lines, … }] }`',
  examples: [
    { line: 'trunkline config explain host.port', shows: 'one value, with every layer that sets it' },
    { line: 'trunkline config explain mcpServers.github', shows: 'every setting of a server' },
  ],
  async run({ output, words }) {
    const [, key] = words
    if (key === undefined) throw usageFailure('Cannot explain: no key is named', 'Write: trunkline config explain KEY')
    const { call } = await openHost()
    const { items } = await call('explainConfig', { key })
    output.result({ items }, () => items.flatMap(({ lines }) => lines))
    return undefined
  },
})
