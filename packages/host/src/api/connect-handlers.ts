import { hashOf } from '../catalogue/definition-hash.ts'
import { clients, findClient } from '../clients/clients.ts'
import { type ClientChange, planInstall } from '../install/plan-install.ts'
import { isInstalled, writeInstall } from '../install/write-install.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Connects the clients of this machine to the host, after showing what changes. */
export function connectHandlers(parts: ApiParts): Pick<Handlers, 'knownClients' | 'planConnect' | 'connect'> {
  return {
    async knownClients() {
      const { places } = parts
      const items = clients.map(async ({ id, title }) => ({ id, title, isConnected: await isInstalled(id, places) }))
      return { items: await Promise.all(items) }
    },
    planConnect: async ({ client }) => shown(await planned(parts, client)),
    async connect({ client, digest }) {
      const change = await planned(parts, client)
      const told = shown(change)
      if (told.digest !== digest) throw new ApiError(409, `"${change.file}" changed meanwhile; look at it again`)
      await writeInstall(change, parts.places)
      return told
    },
  }
}

async function planned({ machine, launcher, specs }: ApiParts, client: string): Promise<ClientChange> {
  if (!findClient(client)) throw new ApiError(404, `Cannot connect "${client}": no such client is known`)
  if (!launcher) throw new ApiError(409, 'This host does not know the command that clients have to start')
  return planInstall(client, { machine, launcher, servers: new Set(specs().map(({ name }) => name)) })
}

function shown(change: ClientChange) {
  const { client, file, before = '', after, putIn, takenOut } = change
  const digest = hashOf([file, before, after])
  return { client, file, before, after, putIn: [...putIn], takenOut: [...takenOut], digest }
}
