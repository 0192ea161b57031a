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
  usage: ['SERVER'],
  options: {},
  examples: [{ line: 'trunkline accept github', shows: 'the command in full, and one question' }],
  async run({ output, words, terminal, signal }) {
    const [name] = words
    if (name === undefined) throw usageFailure('Cannot accept a server: none is named', 'trunkline ls lists them')
    const { call } = await openHost()
    const server = (await call('servers')).items.find((one) => one.name === name)
    if (!server) throw usageFailure(`There is no server "${name}"`, 'trunkline ls lists them')
    if (server.command === '') throw new Failure(server.why, { code: 'NeedsYou', exit: exitCodes.denied })
    output.note([styled('strong', `Server "${name}" would run:`)])
    output.note(server.command)
    if (!(await decidedHere(terminal, 'Accept it?', signal))) {
      throw new Failure(`Server "${name}" was not accepted`, { code: 'Refused', exit: exitCodes.denied })
    }
    const { setAside } = await call('acceptServer', { server: name, commandHash: server.commandHash })
    const signInAt = (await call('servers')).items.find((one) => one.name === name)?.signInAt
    output.result({ accepted: name, setAside, ...(signInAt !== undefined && { signInAt }) }, () => [
      `Server "${name}" is accepted`,
      ...(signInAt === undefined ? [] : [styled('warning', `Sign in at ${signInAt} next: trunkline login ${name}`)]),
      ...setAside.map(({ original, why }) => styled('warning', `${original} was set aside: ${why}`)),
    ])
    return undefined
  },
})
