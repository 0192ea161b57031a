import type { Machine } from '../../config/machine.ts'
import type { Places } from '../../config/places.ts'
import { clients } from '../clients.ts'
import { candidatesIn } from '../import/candidates.ts'
import { discover } from '../import/discover.ts'
import { isInstalled } from './install-record.ts'
import { type HostServers, matchEntries, type OutsideEntry } from './match-entries.ts'

/** A client that starts servers itself, past the host. */
export interface BypassingClient {
  readonly client: string
  /** True for one that `trunkline install` connected. */
  readonly isConnected: boolean
  /** The entries that it starts itself. */
  readonly entries: readonly OutsideEntry[]
}

/** Folders in which the files of clients are looked for. */
export interface BypassOptions {
  readonly machine: Machine
  readonly places: Places
  /** The directory whose files are looked at too. */
  readonly project: string
  readonly servers: HostServers
}

/** Finds the clients of this machine whose entries start servers past the host; disabled entries start nothing. */
export async function bypassingClients(options: BypassOptions): Promise<readonly BypassingClient[]> {
  const { machine, places, project, servers } = options
  const { candidates } = candidatesIn(await discover(machine, project), [])
  const enabled = candidates.filter(({ entry }) => entry.disabled !== true)
  const found = clients.map(async ({ id }): Promise<BypassingClient> => {
    const own = enabled.filter(({ origin }) => origin.client === id)
    const entries = own.flatMap((candidate) => {
      const { through, outside } = matchEntries([candidate], candidate.origin.file, servers)
      const direct = through.map(({ name, server }) => ({ name, why: `Trunkline runs it too, as "${server}"` }))
      return [...direct, ...outside]
    })
    return { client: id, isConnected: await isInstalled(id, places), entries }
  })
  return (await Promise.all(found)).filter(({ entries }) => entries.length > 0)
}
