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
  const { changeServer, Config, findPlaces, thisMachine } = await import('@trunkline/host/config')
  const machine = thisMachine()
  const places = findPlaces(machine)
  const { userFile: file } = places
  const change = await changeServer(file, name, { kind: state === 'disabled' ? 'disable' : 'enable' })
  if (!change) {
    using config = new Config({ places, machine, isAccepted: () => false })
    const { servers } = await config.effective(process.cwd())
    const elsewhere = servers.find((server) => server.name === name)
    if (elsewhere) {
      const fix = `Write "disabled": ${state === 'disabled'} into its entry there`
      throw usageFailure(
        `Cannot change "${name}" here: it is configured in ${elsewhere.place.file}, not in ${file}`,
        fix,
      )
    }
    const here = servers.filter(({ place }) => place.file === file).map((server) => server.name)
    throw await noSuchOf(`There is no server "${name}" in ${file}`, name, here)
  }
  return { name, file, wasSo: change.before === change.after }
}
