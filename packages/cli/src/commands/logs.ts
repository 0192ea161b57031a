import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { listAndFollow, missedLine } from '../host/list-and-follow.ts'

/** `trunkline logs`: what a server wrote to stderr, and its log messages. */
export const logsCommand = defineCommand({
  name: 'logs',
  group: 'host',
  needs: 'nothing',
  summary: 'Shows what a server wrote to stderr, and its log messages',
  usage: ['SERVER'],
  options: { follow: { type: 'boolean', short: 'f', summary: 'Keep printing new lines' } },
  json: 'one line `{ at, text, number, level }` per line of the log',
  examples: [{ line: 'trunkline logs github -f', shows: 'its last lines, then new ones as they come' }],
  async run({ options, output, words, signal }) {
    const [server] = words
    if (server === undefined) throw usageFailure('Cannot show a log: no server is named', 'trunkline ls lists them')
    const host = await openHost()
    const list = async () => (await host.call('log', { server })).items
    if (!options.follow) {
      for (const line of await list()) output.event(line, () => line.text)
      return undefined
    }
    output.endsWhenStopped('Stopped')
    const missed = (count: number): void => output.note(missedLine(count))
    const lines = listAndFollow({
      host,
      // a line that is not ended comes again when it is
      list: async () => (await list()).filter(({ isUnfinished }) => !isUnfinished),
      added(event) {
        if (event.event !== 'log' || event.server !== server) return []
        if (event.dropped !== undefined) missed(event.dropped)
        return event.lines
      },
      onMissed: missed,
      signal,
    })
    for await (const line of lines) output.event(line, () => line.text)
    return undefined
  },
})
