import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { readByHost } from '../host/settled-servers.ts'
import { switchServer } from '../host/switch-server.ts'

/** `trunkline disable`: switches a server off and keeps its entry. */
export const disableCommand = defineCommand({
  name: 'disable',
  group: 'host',
  needs: 'person',
  summary: 'Switches a server off; its entry, its acceptance and its rules are kept',
  usage: ['NAME'],
  details: [
    'Writes "disabled": true into the entry of the server in your configuration. A running host stops it at once.',
  ],
  options: {},
  json: '`{ disabled, file }`',
  examples: [{ line: 'trunkline disable notes', shows: 'the file that says so' }],
  async run({ output, words: [name] }) {
    if (name === undefined) throw usageFailure('Cannot disable a server: none is named', 'trunkline ls lists them')
    const { file, wasSo } = await switchServer(name, 'disabled')
    await readByHost((servers) => servers.every((server) => server.name !== name))
    output.result({ disabled: name, file }, () => [
      `"${name}" ${wasSo ? 'was disabled already' : 'is disabled'} in ${file}`,
      `Use it again: trunkline enable ${name}`,
    ])
    return undefined
  },
})
