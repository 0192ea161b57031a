import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'

/** `trunkline uninstall`: puts a client's file back. */
export const uninstallCommand = defineCommand({
  name: 'uninstall',
  group: 'host',
  summary: 'Restores exactly what "install" changed in the files of a client',
  usage: ['CLIENT'],
  options: {},
  json: '`{ client, file, files }`',
  examples: [{ line: 'trunkline uninstall cursor', shows: 'the files that were restored' }],
  async run({ output, words }) {
    const [client] = words
    if (client === undefined) throw usageFailure('Cannot disconnect a client: none is named')
    const { thisInstalling, uninstall } = await import('../host/installing.ts')
    const undone = await uninstall(client, thisInstalling())
    const files = undone.map(({ file }) => file)
    output.result({ client, file: files[0], files }, () =>
      undone.map(
        ({ file, isRemoved }) => `${file} ${isRemoved ? 'was not there before, and is gone' : 'is as it was'}`,
      ),
    )
    return undefined
  },
})
