import { isRunning } from '@trunkline/base/is-running'
import { defineCommand } from '../command/command.ts'
import { findHost } from '../host/host-link.ts'

/** `trunkline down`: ends the host. */
export const downCommand = defineCommand({
  name: 'down',
  group: 'host',
  needs: 'nothing',
  summary: 'Stops the host and the servers it runs',
  usage: [''],
  options: {},
  json: '`{ stopped }`: the process that ended, or null when none ran',
  examples: [{ line: 'trunkline down', shows: 'which process was stopped' }],
  async run({ output, signal }) {
    const host = await findHost()
    if (!host) {
      output.result({ stopped: null }, () => ['No host runs'])
      return undefined
    }
    const { call, running } = host
    await call('down')
    while (isRunning(running.pid) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
    output.result({ stopped: running.pid }, () => ['The host has ended'])
    return undefined
  },
})
