import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'

/** `trunkline install`: connects a client to the host. */
export const installCommand = defineCommand({
  name: 'install',
  group: 'host',
  summary: 'Connects a client to the host, after showing what changes in its file',
  usage: ['CLIENT…'],
  details: [
    'Servers that the client had and the host runs keep their names there, and so do their tools; the host runs them from then on. "trunkline uninstall CLIENT" puts exactly those entries back.',
  ],
  options: { 'dry-run': { type: 'boolean', summary: 'Only show the change' } },
  examples: [
    { line: 'trunkline install cursor', shows: 'the change to the file of Cursor, and one question' },
    { line: 'trunkline install cursor codex', shows: 'the changes to both files, and one question' },
    { line: 'trunkline install claude-code --dry-run', shows: 'the change alone' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const [{ clients, findClient }, { diffLines, install, plannedInstall, thisInstalling }] = await Promise.all([
      import('@trunkline/host'),
      import('../host/installing.ts'),
    ])
    for (const client of words.length === 0 ? [''] : words) {
      if (findClient(client)) continue
      const known = clients.map(({ id }) => id).join(', ')
      throw usageFailure(`Cannot connect "${client}": no such client is known`, `There are: ${known}`)
    }
    const installing = thisInstalling()
    const changes = await Promise.all(words.map((client) => plannedInstall(client, installing)))
    const told = changes.map(({ client, file, putIn, takenOut }) => ({ client, file, putIn, takenOut }))
    const shown = told.length === 1 ? told[0] : { clients: told }
    const lines = () => changes.flatMap(({ file, before = '', after }) => [file, ...diffLines(before, after)])
    if (options['dry-run']) {
      output.result(shown, lines)
      return undefined
    }
    for (const line of lines()) output.note(line)
    if (!(await decidedHere(terminal, 'Write it?', signal))) {
      throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
    }
    for (const change of changes) await install(change, installing)
    const connected = (client: string) =>
      `"${client}" is connected; restart it, or have it read its configuration again`
    output.result(shown, () => words.map(connected))
    return undefined
  },
})
