import type { Fields } from '@trunkline/mcp'
import { z } from 'zod'
import { serverKey } from '../act/server-key.ts'
import { isServerName, slugOf } from '../act/server-name.ts'
import { guessFormat, readDocument } from '../clients/formats.ts'
import type { Value } from '../config/document/document.ts'
import { editConfigFile } from '../config/edit-config-file.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import { secretsApart } from '../config/secrets/keep-apart.ts'
import { maskedIn } from '../config/secrets/mask.ts'
import { ApiError } from './api-error.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'
import type { ApiServices } from './services.ts'
import { withoutMissing } from './without-missing.ts'

/** Routes that add servers from a page: text in a file, and nothing that runs, until a person accepts them. */
export const addRoutes = {
  addServer: route({
    method: 'POST',
    path: '/api/servers',
    needs: 'person',
    says: 'Writes a server into the configuration; it does not start before it is accepted',
    body: z.strictObject({ name: z.string(), entry: s.newServerEntry }),
    answer: z.object({ secrets: z.array(z.string()).describe('Secrets that were kept apart, by their names') }),
    async handle({ name, entry }, services) {
      if (!isServerName(name)) {
        throw new ApiError(400, `Cannot name a server "${name}"; it could be "${slugOf(name)}"`)
      }
      if (services.host.specs.some((spec) => spec.name === serverKey(name))) {
        throw new ApiError(409, `There is a server "${name}" already; choose another name`)
      }
      if ((entry.command === undefined) === (entry.url === undefined)) {
        throw new ApiError(400, `Cannot add "${name}": write a program or an address, and not both`)
      }
      const { entry: written, secrets } = secretsApart(name, withoutMissing(entry) as ServerEntry)
      for (const secret of secrets) await services.secrets.set(secret.name, secret.value)
      await writeServer(services, name, written)
      return { secrets: secrets.map((secret) => secret.name) }
    },
  }),
  removeServer: route({
    method: 'DELETE',
    path: '/api/servers/{server}',
    needs: 'person',
    says: "Takes a server out of the person's own configuration",
    answer: s.confirmation,
    async handle({ server }, services) {
      await writeServer(services, server, undefined)
      return done
    },
  }),
  readServers: route({
    method: 'POST',
    path: '/api/config/read',
    needs: 'nothing',
    says: "The servers in a text of any client's configuration; nothing is written",
    body: z.strictObject({ text: z.string() }),
    answer: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          entry: z.record(z.string(), z.unknown()),
          shown: z.record(z.string(), z.unknown()).describe('The same with stars for secrets'),
          secrets: z.array(z.string()).describe('Secrets that would be kept apart, by the names they get'),
        }),
      ),
      problems: z.array(z.string()),
    }),
    handle: ({ text }) => {
      const file = text.trimStart().startsWith('[') ? 'pasted.toml' : 'pasted.json'
      const format = guessFormat(file, text)
      if (!format) {
        const keys = '"mcpServers", "servers", "context_servers" or "mcp"'
        throw new ApiError(400, `No server was found in this: it has no ${keys}`)
      }
      const { servers, left } = format.read(readDocument(format, file, text))
      return {
        items: servers.map(({ name: written, entry }) => {
          const name = slugOf(written)
          const shown = { ...(maskedIn(entry as Value) as object) }
          return { name, entry: { ...entry }, shown, secrets: secretsApart(name, entry).secrets.map((one) => one.name) }
        }),
        problems: left.map(({ line, problem, fix }) => `Line ${line} ${problem}: ${fix}`),
      }
    },
  }),
}

/** Puts a server into the person's own configuration, or takes it out. */
async function writeServer(
  { places, applyFiles }: ApiServices,
  name: string,
  entry: Fields | undefined,
): Promise<void> {
  const { userFile } = places
  await editConfigFile(userFile, [{ path: ['mcpServers', name], value: entry as Value | undefined }])
  await applyFiles(userFile)
}
