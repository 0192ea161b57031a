import { defineCommand, type Invocation } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { type HostLink, openHost } from '../host/host-link.ts'
import { refuseUnknownServer } from '../host/known-server.ts'
import { signInTo } from '../host/sign-in-to.ts'
import { type Line, styled } from '../output/span.ts'

const options = {
  all: { type: 'boolean', summary: 'Every server that requires it' },
  'no-browser': { type: 'boolean', summary: 'Print the address of the page instead of opening a browser' },
} as const

/** `trunkline login`: signs in to servers. */
export const loginCommand = defineCommand({
  name: 'login',
  group: 'host',
  needs: 'nothing',
  summary: 'Signs in to servers that require it; the host keeps the tokens',
  usage: ['SERVER…', '--all'],
  options,
  json: '`{ servers: [{ server, isSignedIn, why }] }`',
  examples: [
    { line: 'trunkline login github', shows: 'a page in the browser; afterwards the server can be used' },
    { line: 'trunkline login --all', shows: 'every server that requires it, one after the other' },
  ],
  async run(invocation) {
    const { output, words, options: given } = invocation
    if (given.all !== true && words.length === 0) {
      throw usageFailure('Cannot sign in: no server is named', 'Write: trunkline login SERVER, or --all')
    }
    const host = await openHost()
    for (const server of words) await refuseUnknownServer(host, server)
    const servers = given.all === true ? await remoteServers(host) : words
    const outcomes: Outcome[] = []
    for (const server of servers) outcomes.push(await outcomeOf(host, server, invocation))
    const failed = outcomes.find(({ failure }) => failure !== undefined)?.failure
    // one server is one failure; of several each is told
    if (failed && servers.length === 1) throw failed
    output.result({ servers: outcomes.map(shown) }, () => outcomes.map(lineOf))
    return failed?.exit
  },
})

interface Outcome {
  readonly server: string
  readonly failure: Failure | undefined
}

async function outcomeOf(host: HostLink, server: string, invocation: Invocation<typeof options>): Promise<Outcome> {
  try {
    await signInTo(host, server, { ...invocation, browser: invocation.options['no-browser'] !== true })
    return { server, failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === exitCodes.interrupted) throw error
    return { server, failure: error }
  }
}

/** Those that run elsewhere; programs on this machine know who runs them. */
async function remoteServers({ call }: HostLink): Promise<readonly string[]> {
  const { items } = await call('servers')
  const remote = items.filter(({ command, isAccepted }) => isAccepted && /^https?:/.test(command))
  if (remote.length === 0) throw usageFailure('No accepted server runs elsewhere', 'trunkline ls lists all of them')
  return remote.map(({ name }) => name)
}

function shown({ server, failure }: Outcome) {
  return { server, isSignedIn: failure === undefined, ...(failure && { why: failure.message }) }
}

function lineOf({ server, failure }: Outcome): Line {
  return failure ? styled('bad', `${server}: ${failure.message}`) : `Server "${server}" can be used`
}
