import type { UndoneFile } from '@trunkline/host/config'
import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'

/** `trunkline uninstall`: puts the files of clients back. */
export const uninstallCommand = defineCommand({
  name: 'uninstall',
  group: 'host',
  needs: 'person',
  summary: 'Restores exactly what "install" changed in the files of a client',
  usage: ['CLIENT…'],
  options: {},
  json: '`{ client, file, files }`, or `{ clients: […] }` of several',
  examples: [
    { line: 'trunkline uninstall cursor', shows: 'the files that were restored' },
    { line: 'trunkline uninstall cursor codex', shows: 'the files of both' },
  ],
  async run({ output, words }) {
    const { connectedClients, thisInstalling, uninstall } = await import('../host/installing.ts')
    const installing = thisInstalling()
    const connected = await connectedClients(installing)
    if (words.length === 0) {
      const hint = connected.length === 0 ? 'None is connected' : `Connected are: ${connected.join(', ')}`
      throw usageFailure('Cannot disconnect a client: none is named', hint)
    }
    const stray = words.find((client) => !connected.includes(client))
    if (stray !== undefined) throw await noSuchOf(`"${stray}" is not connected`, stray, connected)
    const undone: { readonly client: string; readonly files: readonly UndoneFile[] }[] = []
    for (const client of new Set(words)) undone.push({ client, files: await uninstall(client, installing) })
    const told = undone.map(({ client, files }) => {
      const paths = files.map(({ file }) => file)
      return { client, file: paths[0], files: paths }
    })
    output.result(told.length === 1 ? told[0] : { clients: told }, () =>
      undone.flatMap(({ files }) =>
        files.map(
          ({ file, isRemoved }) => `${file} ${isRemoved ? 'was not there before, and is gone' : 'is as it was'}`,
        ),
      ),
    )
    return undefined
  },
})
