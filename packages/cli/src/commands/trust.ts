import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { refuseUnknownServer } from '../host/known-server.ts'

const unitMinutes: { readonly [unit: string]: number } = { m: 1, h: 60 }

/** `trunkline trust`: asks nothing about a server for a while. */
export const trustCommand = defineCommand({
  name: 'trust',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Allows calls of a server without questions for a while, except those that destroy',
  usage: ['SERVER TIME'],
  options: { client: { type: 'string', value: 'NAME', summary: 'For this program alone' } },
  json: '`{ server, minutes, clients }`',
  examples: [{ line: 'trunkline trust files 30m', shows: 'half an hour without questions about one server' }],
  async run({ options, output, words, terminal, signal }) {
    const [server, time = ''] = words
    const [, count, unit = ''] = /^(\d+)([mh])$/.exec(time) ?? []
    const minutes = Number(count) * (unitMinutes[unit] ?? Number.NaN)
    if (server === undefined || !(minutes >= 1 && minutes <= 480)) {
      throw usageFailure('Cannot trust: write a server and a time up to 8h', 'trunkline trust files 30m')
    }
    const host = await openHost()
    await refuseUnknownServer(host, server)
    if (!(await decidedHere(terminal, `Ask nothing about "${server}" for ${time}?`, signal))) {
      throw new Failure(`Server "${server}" is not trusted`, { code: 'Refused', exit: exitCodes.denied })
    }
    const { clients } = await host.call('trust', { server, minutes, ...(options.client && { client: options.client }) })
    output.result({ server, minutes, clients }, () => [
      `Nothing is asked about "${server}" for ${time}, for ${clients.join(', ')}`,
    ])
    return undefined
  },
})
