import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'

/** `trunkline logs`: what a server wrote to stderr. */
export const logsCommand = defineCommand({
  name: 'logs',
  group: 'host',
  summary: 'Shows what a server wrote to stderr',
  usage: ['SERVER'],
  options: { follow: { type: 'boolean', short: 'f', summary: 'Go on as it writes' } },
  examples: [{ line: 'trunkline logs github -f', shows: 'its last lines, and those to come' }],
  async run({ options, output, words, signal }) {
    const [server] = words
    if (server === undefined) throw usageFailure('Cannot show a log: no server is named', 'trunkline ls lists them')
    const { call, events } = await openHost()
    const { items } = await call('log', { server })
    for (const line of items) output.event(line, () => line.text)
    if (!options.follow) return undefined
    for await (const event of events(signal)) {
      if (event.event !== 'log' || event.server !== server) continue
      for (const line of event.lines) output.event(line, () => line.text)
    }
    return undefined
  },
})
