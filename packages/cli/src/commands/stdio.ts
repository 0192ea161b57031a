import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'

/** `trunkline stdio`: the host as a server that clients start. */
export const stdioCommand = defineCommand({
  name: 'stdio',
  group: 'host',
  needs: 'nothing',
  summary: 'Connects a client to the host over stdin and stdout; starts the host if none runs',
  usage: [''],
  details: [
    'This is the command that "install" writes into the files of clients. It only passes messages between the client and the host.',
  ],
  options: {
    server: { type: 'string', value: 'NAME', summary: 'Offer only this server, under its own tool names' },
    client: { type: 'string', value: 'NAME', summary: 'The name of the client, as rules and questions use it' },
  },
  json: 'nothing of its own: stdout is the protocol, and only errors are JSON, on stderr',
  examples: [{ line: 'trunkline stdio --client my-editor', shows: 'all servers, for an editor' }],
  async run({ options, output }) {
    const { server, client = 'stdio' } = options
    if (server !== undefined && !/^[a-z0-9-]+$/.test(server)) {
      throw usageFailure(`Cannot offer server "${server}": names are made of a-z, 0-9 and "-"`)
    }
    const [{ bridge, HostRefused }, { runningOrStarted }] = await Promise.all([
      import('@trunkline/host/api'),
      import('../host/start-detached.ts'),
    ])
    const path = server === undefined ? '/mcp' : `/mcp/server/${server}`
    await bridge({
      input: process.stdin,
      output: process.stdout,
      find: async () => ({ ...(await runningOrStarted({ starter: 'client' })), path, client, project: process.cwd() }),
      onNote: (text) => output.note(text),
    }).catch((error: unknown) => {
      if (!(error instanceof HostRefused)) throw error
      throw new Failure(error.message, { code: 'Refused', exit: exitCodes.denied, hint: whatHelps(error.status) })
    })
    return undefined
  },
})

/** Hint for a refusal, by its status: no such server, or the client was revoked. */
function whatHelps(status: number): string | undefined {
  if (status === 404) return 'trunkline ls lists servers'
  return status === 403 ? 'trunkline clients lists the clients that may connect' : undefined
}
