import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { readByHost } from '../host/settled-servers.ts'
import { switchServer } from '../host/switch-server.ts'

/** `trunkline enable`: switches a server on that was disabled. */
export const enableCommand = defineCommand({
  name: 'enable',
  group: 'host',
  needs: 'person',
  summary: 'Switches a server on that was disabled; what you accepted of it still counts',
  usage: ['NAME'],
  options: {},
  json: '`{ enabled, file }`',
  examples: [{ line: 'trunkline enable notes', shows: 'the file that said it was disabled' }],
  async run({ output, words: [name] }) {
    if (name === undefined) throw usageFailure('Cannot enable a server: none is named', 'trunkline status lists them')
    const { file, wasSo } = await switchServer(name, 'enabled')
    await readByHost((servers) => servers.some((server) => server.name === name))
    output.result({ enabled: name, file }, () => [
      `"${name}" ${wasSo ? 'was not disabled' : 'is enabled'} in ${file}`,
      `See how it is doing: trunkline status ${name}`,
    ])
    return undefined
  },
})
