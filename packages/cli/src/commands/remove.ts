import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { readByHost } from '../host/settled-servers.ts'

/** `trunkline remove`: takes a server out of the configuration. */
export const removeCommand = defineCommand({
  name: 'remove',
  group: 'host',
  needs: 'person',
  summary: 'Removes a server from your configuration; a running host stops it',
  usage: ['NAME'],
  options: {},
  json: '`{ removed, file }`',
  examples: [{ line: 'trunkline remove notes', shows: 'the file it was removed from' }],
  async run({ output, words }) {
    const [name] = words
    if (name === undefined) throw usageFailure('Cannot remove a server: none is named', 'trunkline ls lists them')
    const { changeServer, Config, findPlaces, thisMachine } = await import('@trunkline/host/config')
    const machine = thisMachine()
    const places = findPlaces(machine)
    const { userFile } = places
    if (!(await changeServer(userFile, name, { kind: 'remove' }))) {
      using config = new Config({ places, machine, isAccepted: () => false })
      const names = (await config.effective()).servers.map((server) => server.name)
      throw await noSuchOf(`There is no server "${name}" in ${userFile}`, name, names)
    }
    await readByHost((servers) => servers.every((server) => server.name !== name))
    output.result({ removed: name, file: userFile }, () => [`"${name}" is no longer in ${userFile}`])
    return undefined
  },
})
