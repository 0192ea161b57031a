import { defineCommand } from '../command/command.ts'
import { openHost } from '../host/host-link.ts'
import { refuseUnknownServer } from '../host/known-server.ts'
import { counted } from '../output/counted.ts'

/** `trunkline forget`: deletes what was recorded beside the ledger. */
export const forgetCommand = defineCommand({
  name: 'forget',
  group: 'host',
  needs: 'person',
  summary: 'Deletes recorded arguments and results, of one server or all old ones',
  usage: ['[SERVER]'],
  options: {},
  json: '`{ removed }`',
  examples: [{ line: 'trunkline forget github', shows: 'how many records were deleted; the ledger still verifies' }],
  async run({ output, words }) {
    const [server] = words
    const host = await openHost()
    const { removed } = await host.call('forget', server === undefined ? {} : { server })
    // a server that was removed may have left records
    if (removed === 0 && server !== undefined) await refuseUnknownServer(host, server)
    output.result({ removed }, () => [`Deleted: ${counted(removed, 'record')}`])
    return undefined
  },
})
