import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Places } from '../../config/places.ts'
import type { ClientChange } from './plan-install.ts'

/** Path of the record of changes to a client's files. */
export function installRecordPath({ state }: Places, client: string): string {
  return join(state, 'installed', `${client}.json`)
}

/** The fact that a client is connected, as the acceptance of clients wants it. */
export function installedClients(places: Places) {
  return {
    isInstalled: (client: string) => isInstalled(client, places),
    installedEarlier: async () => {
      const records = await readInstallRecords(places)
      return records.filter(({ bindsProgram = false }) => !bindsProgram).map(({ client }) => client)
    },
  }
}

/** True for a client that `trunkline install` connected. */
export async function isInstalled(client: string, places: Places): Promise<boolean> {
  const record = await stat(installRecordPath(places, client)).catch(() => undefined)
  return record !== undefined
}

/** The record of changes to a client's files; undefined for one that is not connected. */
export async function readInstallRecord(places: Places, client: string): Promise<ClientChange | undefined> {
  const text = await readFile(installRecordPath(places, client), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as ClientChange)
}

/** The records of all clients that are connected. */
export async function readInstallRecords(places: Places): Promise<readonly ClientChange[]> {
  const names = await readdir(join(places.state, 'installed')).catch(() => [])
  const clients = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
  const records = await Promise.all(clients.map((client) => readInstallRecord(places, client)))
  return records.filter((record) => record !== undefined)
}
