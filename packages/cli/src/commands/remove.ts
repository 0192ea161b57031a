import { readFile } from 'node:fs/promises'
import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'

/** `trunkline remove`: takes a server out of the configuration. */
export const removeCommand = defineCommand({
  name: 'remove',
  group: 'host',
  summary: 'Takes a server out of your configuration; a host that runs ends it',
  usage: ['NAME'],
  options: {},
  examples: [{ line: 'trunkline remove notes', shows: 'the file it was taken out of' }],
  async run({ output, words }) {
    const [name] = words
    if (name === undefined) throw usageFailure('Cannot remove a server: none is named', 'trunkline ls lists them')
    const { editConfigFile, findPlaces, thisMachine } = await import('@trunkline/host')
    const { userFile } = findPlaces(thisMachine())
    const text = await readFile(userFile, 'utf8').catch(() => '')
    if (!text.includes(JSON.stringify(name))) throw usageFailure(`There is no server "${name}" in ${userFile}`)
    await editConfigFile(userFile, [{ path: ['mcpServers', name], value: undefined }])
    output.result({ removed: name, file: userFile }, () => [`"${name}" is no longer in ${userFile}`])
    return undefined
  },
})
