import { redact } from '@trunkline/base/redact'
import { z } from 'zod'
import { clients, findClient } from '../clients/clients.ts'
import { presentServers } from '../clients/import/present-servers.ts'
import { isInstalled, readInstallRecord } from '../clients/install/install-record.ts'
import { type ClientChange, planInstall } from '../clients/install/plan-install.ts'
import { clientAsks, type WhoAsks } from '../clients/install/who-asks.ts'
import { writeInstall, writesOf } from '../clients/install/write-install.ts'
import { readJson } from '../config/document/json.ts'
import { readToml } from '../config/document/toml.ts'
import { maskedTexts } from '../config/secrets/mask.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'
import { route } from './route.ts'
import type { ApiServices } from './services.ts'

const whoAsks = z.enum(['trunkline', 'client']).describe('Who asks before a call runs')

const fileChange = z.object({
  file: z.string().describe('The file that changes'),
  before: z.string().describe('Empty for a file that is not there yet'),
  after: z.string(),
})

const change = fileChange.extend({
  client: z.string(),
  asks: whoAsks,
  also: z.array(fileChange).describe('Changes to other files, so that one side asks before a call and not both'),
  asksItself: z.boolean().describe('The client may ask too, and no file of it turns that off'),
  putIn: z.array(z.string()).describe('Entries that are put in, by their names there'),
  takenOut: z.array(z.string()).describe('Entries that the host runs from then on'),
  outside: z
    .array(z.object({ name: z.string(), why: z.string() }))
    .describe('Entries that go on past the host, each with the reason'),
  digest: z.string().describe('What a person agrees to'),
})

/** Routes that connect the clients of this machine to the host, after showing the changes. */
export const connectRoutes = {
  knownClients: route({
    method: 'GET',
    path: '/api/known-clients',
    needs: 'nothing',
    says: 'The clients whose files can be written, and whether they are connected',
    answer: z.object({ items: z.array(z.object({ id: z.string(), title: z.string(), isConnected: z.boolean() })) }),
    async handle(_input, { places }) {
      const items = clients.map(async ({ id, title }) => ({ id, title, isConnected: await isInstalled(id, places) }))
      return { items: await Promise.all(items) }
    },
  }),
  planConnect: route({
    method: 'GET',
    path: '/api/known-clients/{client}',
    needs: 'nothing',
    says: 'What connecting a client changes in files; nothing is written',
    query: z.strictObject({ asks: whoAsks.optional() }),
    answer: change,
    handle: async ({ client, asks }, services) => shown(await planned(services, client, asks)),
  }),
  connect: route({
    method: 'POST',
    path: '/api/known-clients/{client}',
    needs: 'person',
    says: 'Writes exactly the change that a person saw',
    body: z.strictObject({ digest: z.string(), asks: whoAsks.optional() }),
    answer: change,
    async handle({ client, digest, asks }, services) {
      const change = await planned(services, client, asks)
      const told = shown(change)
      if (told.digest !== digest) throw new ApiError(409, `"${change.file}" changed meanwhile; look at it again`)
      await writeInstall(change, services.places)
      return told
    },
  }),
}

async function planned(
  { machine, launcher, config, secrets, places }: ApiServices,
  client: string,
  given: WhoAsks | undefined,
): Promise<ClientChange> {
  if (!findClient(client)) throw new ApiError(404, `Cannot connect "${client}": no such client is known`)
  if (!launcher) throw new ApiError(409, 'This host does not know the command that clients have to start')
  const installed = await readInstallRecord(places, client)
  const asking = { asks: given ?? installed?.asks ?? 'trunkline', userFile: places.userFile }
  const servers = await presentServers(await config.effective(), secrets)
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
  const changed = others.filter(({ before, after }) => before !== after)
  const also = changed.map(masked)
  const { asksFirst, canTurnOff } = clientAsks(client)
  const told = { ...masked(own), client, putIn: [...putIn], takenOut: [...takenOut], outside: [...outside], asks, also }
  return { ...told, asksItself: asks === 'trunkline' && asksFirst && !canTurnOff, digest: hashOf([own, changed]) }
}

/** A change of a file with stars for the secrets in it, which may be those of other servers. */
function masked({ file, before, after }: z.output<typeof fileChange>): z.output<typeof fileChange> {
  const read = file.endsWith('.toml') ? readToml : readJson
  const texts = [before, after]
  const [shownBefore = '', shownAfter = ''] = maskedTexts(
    texts,
    texts.map((text) => read(file, text).value),
  )
  return { file, before: String(redact(shownBefore)), after: String(redact(shownAfter)) }
}
