import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { refuseUnknownServer } from '../host/known-server.ts'

/** `trunkline logout`: deletes the tokens for a server. */
export const logoutCommand = defineCommand({
  name: 'logout',
  group: 'host',
  needs: 'person',
  summary: 'Deletes the tokens for a server, and closes the connection that used them',
  usage: ['SERVER'],
  options: {},
  json: '`{ signedOut }`',
  examples: [{ line: 'trunkline logout github', shows: 'a server that needs a new sign-in' }],
  async run({ output, words }) {
    const [server] = words
    if (server === undefined) throw usageFailure('Cannot sign out: no server is named', 'trunkline ls lists them')
    const host = await openHost()
    await refuseUnknownServer(host, server)
    await host.call('logout', { server })
    output.result({ signedOut: server }, () => [`Signed out of "${server}"`])
    return undefined
  },
})
