import { readFile } from 'node:fs/promises'
import { usageFailure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'

/** A server of the person's own file after it was switched off or on. */
export interface SwitchedServer {
  readonly name: string
  readonly file: string
  /** True when the file said so before. */
  readonly wasSo: boolean
}

/** Disables or enables a server in the person's own file; all else in it stays as it is. */
export async function switchServer(name: string, state: 'disabled' | 'enabled'): Promise<SwitchedServer> {
  const disabled = state === 'disabled'
  const { Config, editConfigFile, findPlaces, readJsonFile, thisMachine } = await import('@trunkline/host/config')
  const machine = thisMachine()
  const places = findPlaces(machine)
  const { userFile: file } = places
  const text = await readFile(file, 'utf8').catch(() => '')
  const { mcpServers = {} } = readJsonFile(file, text).value as {
    readonly mcpServers?: { readonly [server: string]: { readonly disabled?: boolean } }
  }
  const entry = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined
  if (entry === undefined) {
    using config = new Config({ places, machine, isAccepted: () => false })
    const { servers } = await config.effective(process.cwd())
    const elsewhere = servers.find((server) => server.name === name)
    if (elsewhere) {
      const fix = `Write "disabled": ${disabled} into its entry there`
      throw usageFailure(
        `Cannot change "${name}" here: it is configured in ${elsewhere.place.file}, not in ${file}`,
        fix,
      )
    }
    throw await noSuchOf(`There is no server "${name}" in ${file}`, name, Object.keys(mcpServers))
  }
  const wasSo = (entry.disabled === true) === disabled
  // the default is not written down
  if (!wasSo) {
    await editConfigFile(file, [{ path: ['mcpServers', name, 'disabled'], value: disabled ? true : undefined }])
  }
  return { name, file, wasSo }
}
