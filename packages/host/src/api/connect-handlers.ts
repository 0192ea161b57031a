import { clients, findClient } from '../clients/clients.ts'
import { isInstalled, readInstallRecord } from '../clients/install/install-record.ts'
import { type ClientChange, planInstall } from '../clients/install/plan-install.ts'
import { clientAsks, type WhoAsks } from '../clients/install/who-asks.ts'
import { writeInstall, writesOf } from '../clients/install/write-install.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Handlers that connect the clients of this machine to the host, after showing the changes. */
export function connectHandlers(parts: ApiParts): Pick<Handlers, 'knownClients' | 'planConnect' | 'connect'> {
  return {
    async knownClients() {
      const { places } = parts
      const items = clients.map(async ({ id, title }) => ({ id, title, isConnected: await isInstalled(id, places) }))
      return { items: await Promise.all(items) }
    },
    planConnect: async ({ client, asks }) => shown(await planned(parts, client, asks)),
    async connect({ client, digest, asks }) {
      const change = await planned(parts, client, asks)
      const told = shown(change)
      if (told.digest !== digest) throw new ApiError(409, `"${change.file}" changed meanwhile; look at it again`)
      await writeInstall(change, parts.places)
      return told
    },
  }
}

async function planned(
  { machine, launcher, presentServers, places }: ApiParts,
  client: string,
  given: WhoAsks | undefined,
): Promise<ClientChange> {
  if (!findClient(client)) throw new ApiError(404, `Cannot connect "${client}": no such client is known`)
  if (!launcher) throw new ApiError(409, 'This host does not know the command that clients have to start')
  const installed = await readInstallRecord(places, client)
  const asking = { asks: given ?? installed?.asks ?? 'trunkline', userFile: places.userFile }
  const servers = await presentServers()
  return planInstall(client, { machine, launcher, servers, asking, installed })
}

function shown(change: ClientChange) {
  const { client, putIn, takenOut, outside = [], asks = 'trunkline' } = change
  const [own, ...others] = writesOf(change).map(({ file, before, current = before ?? '', after }) => ({
    file,
    before: current,
    after,
  }))
  if (!own) throw new ApiError(500, 'A change of no file')
  const also = others.filter(({ before, after }) => before !== after)
  const { asksFirst, canTurnOff } = clientAsks(client)
  const told = { ...own, client, putIn: [...putIn], takenOut: [...takenOut], outside: [...outside], asks, also }
  return { ...told, asksItself: asks === 'trunkline' && asksFirst && !canTurnOff, digest: hashOf([own, also]) }
}
