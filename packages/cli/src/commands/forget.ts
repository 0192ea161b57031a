import { defineCommand } from '../command/command.ts'
import { openHost } from '../host/host-link.ts'
import { counted } from '../output/counted.ts'

/** `trunkline forget`: deletes what was recorded beside the ledger. */
export const forgetCommand = defineCommand({
  name: 'forget',
  group: 'host',
  summary: 'Deletes recorded arguments and results, of one server or all old ones',
  usage: ['[SERVER]'],
  options: {},
  json: '`{ removed }`',
  examples: [{ line: 'trunkline forget github', shows: 'how many records were deleted; the ledger still verifies' }],
  async run({ output, words }) {
    const [server] = words
    const { call } = await openHost()
    const { removed } = await call('forget', server === undefined ? {} : { server })
    output.result({ removed }, () => [`Gone: ${counted(removed, 'record')}`])
    return undefined
  },
})
