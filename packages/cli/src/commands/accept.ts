import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { styled } from '../output/span.ts'

/** `trunkline accept`: lets a configured server be started. */
export const acceptCommand = defineCommand({
  name: 'accept',
  group: 'host',
  summary: 'Accepts a configured server: its exact command, and what it offers now',
  usage: ['SERVER…', '--all'],
  options: { all: { type: 'boolean', summary: 'Every server that waits to be accepted, in one review' } },
  examples: [
    { line: 'trunkline accept github', shows: 'the command in full, and one question' },
    { line: 'trunkline accept --all', shows: 'every command that waits, and one question' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const { call } = await openHost()
    const servers = chosenOf((await call('servers')).items, words, options.all === true)
    for (const { name, command } of servers) {
      output.note([styled('strong', `Server "${name}" would run:`)])
      output.note(command)
    }
    const question = servers.length === 1 ? 'Accept it?' : `Accept these ${servers.length} servers?`
    if (!(await decidedHere(terminal, question, signal))) {
      const [{ name } = { name: '' }, ...more] = servers
      const what = more.length === 0 ? `Server "${name}" was not accepted` : 'No server was accepted'
      throw new Failure(what, { code: 'Refused', exit: exitCodes.denied })
    }
    const accepted = await Promise.all(servers.map((server) => accept(call, server)))
    output.result(accepted.length === 1 ? accepted[0] : { accepted }, () => accepted.flatMap(linesOf))
    return undefined
  },
})

type Call = Awaited<ReturnType<typeof openHost>>['call']
type Listed = Awaited<ReturnType<typeof listed>>[number]

async function listed(call: Call) {
  return (await call('servers')).items
}

function chosenOf(all: readonly Listed[], words: readonly string[], isAll: boolean): readonly Listed[] {
  if (!isAll && words.length === 0)
    throw usageFailure('Cannot accept a server: none is named', 'trunkline ls lists them')
  const servers = isAll ? all.filter(({ isAccepted, command }) => !isAccepted && command !== '') : []
  for (const name of words) {
    const server = all.find((one) => one.name === name)
    if (!server) throw usageFailure(`There is no server "${name}"`, 'trunkline ls lists them')
    if (server.command === '') throw new Failure(server.why, { code: 'NeedsYou', exit: exitCodes.denied })
    servers.push(server)
  }
  if (servers.length === 0)
    throw new Failure('No server waits to be accepted', { code: 'NothingToDo', exit: exitCodes.denied })
  return servers
}

/** What came of accepting one server. */
interface Accepted {
  readonly accepted: string
  readonly setAside: readonly { readonly original: string; readonly why?: string | undefined }[]
  readonly signInAt?: string
  /** A sandbox that leaves it what its tools say they touch. */
  readonly proposes?: string
}

async function accept(call: Call, { name, commandHash }: Listed): Promise<Accepted> {
  const { setAside, proposes } = await call('acceptServer', { server: name, commandHash })
  const signInAt = (await listed(call)).find((one) => one.name === name)?.signInAt
  const more = { ...(signInAt !== undefined && { signInAt }), ...(proposes !== undefined && { proposes }) }
  return { accepted: name, setAside, ...more }
}

function linesOf({ accepted: name, setAside, signInAt, proposes }: Accepted) {
  return [
    `Server "${name}" is accepted`,
    ...(signInAt === undefined ? [] : [styled('warning', `Sign in at ${signInAt} next: trunkline login ${name}`)]),
    ...(proposes === undefined ? [] : [proposes]),
    ...setAside.map(({ original, why }) => styled('warning', `${original} was set aside: ${why}`)),
  ]
}
