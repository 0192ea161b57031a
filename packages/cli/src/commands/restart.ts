import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'

/** `trunkline restart`: starts a server anew. */
export const restartCommand = defineCommand({
  name: 'restart',
  group: 'host',
  needs: 'nothing',
  summary: 'Stops a server and starts it again',
  usage: ['SERVER'],
  options: {},
  json: '`{ restarted }`',
  examples: [{ line: 'trunkline restart github', shows: 'when the server is ready again' }],
  async run({ output, words }) {
    const [server] = words
    if (server === undefined) throw usageFailure('Cannot restart: no server is named', 'trunkline ls lists them')
    const { call } = await openHost()
    await call('restart', { server })
    output.result({ restarted: server }, () => [`Server "${server}" is ready`])
    return undefined
  },
})
