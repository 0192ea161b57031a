import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'

/** `trunkline install`: connects a client to the host. */
export const installCommand = defineCommand({
  name: 'install',
  group: 'host',
  summary: 'Connects a client to the host, after showing what changes in its file',
  usage: ['CLIENT'],
  details: [
    'Servers that the client had and the host runs keep their names there, and so do their tools; the host runs them from then on. "trunkline uninstall CLIENT" puts exactly those entries back.',
  ],
  options: { 'dry-run': { type: 'boolean', summary: 'Only show the change' } },
  examples: [
    { line: 'trunkline install cursor', shows: 'the change to the file of Cursor, and one question' },
    { line: 'trunkline install claude-code --dry-run', shows: 'the change alone' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const [{ clients, findClient }, { diffLines, install, plannedInstall, thisInstalling }] = await Promise.all([
      import('@trunkline/host'),
      import('../host/installing.ts'),
    ])
    const [client = ''] = words
    if (!findClient(client)) {
      const known = clients.map(({ id }) => id).join(', ')
      throw usageFailure(`Cannot connect "${client}": no such client is known`, `There are: ${known}`)
    }
    const installing = thisInstalling()
    const change = await plannedInstall(client, installing)
    const { file, before = '', after, putIn, takenOut } = change
    const told = { client, file, putIn, takenOut }
    const lines = () => [file, ...diffLines(before, after)]
    if (options['dry-run']) {
      output.result(told, lines)
      return undefined
    }
    for (const line of lines()) output.note(line)
    if (!(await decidedHere(terminal, 'Write it?', signal))) {
      throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
    }
    await install(change, installing)
    output.result(told, () => [`"${client}" is connected; restart it, or have it read its configuration again`])
    return undefined
  },
})
