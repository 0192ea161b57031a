import { serverKey } from '../act/server-key.ts'
import { isServerName, slugOf } from '../act/server-name.ts'
import { guessFormat, readDocument } from '../clients/formats.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { withoutMissing } from './without-missing.ts'

/** Servers that are added from a page: text in a file, and nothing that runs, until a person accepts them. */
export function addHandlers(parts: ApiParts): Pick<Handlers, 'readServers' | 'addServer' | 'removeServer'> {
  return {
    readServers: ({ text }) => {
      const file = text.trimStart().startsWith('[') ? 'pasted.toml' : 'pasted.json'
      const format = guessFormat(file, text)
      if (!format) {
        const keys = '"mcpServers", "servers", "context_servers" or "mcp"'
        throw new ApiError(400, `No server was found in this: it has no ${keys}`)
      }
      const { servers, left } = format.read(readDocument(format, file, text))
      return {
        items: servers.map(({ name, entry }) => ({ name: slugOf(name), entry: { ...entry } })),
        problems: left.map(({ line, problem, fix }) => `Line ${line} ${problem}: ${fix}`),
      }
    },
    async addServer({ name, entry }) {
      if (!isServerName(name)) {
        throw new ApiError(400, `Cannot name a server "${name}"; it could be "${slugOf(name)}"`)
      }
      if (parts.specs().some((spec) => spec.name === serverKey(name))) {
        throw new ApiError(409, `There is a server "${name}" already; choose another name`)
      }
      if ((entry.command === undefined) === (entry.url === undefined)) {
        throw new ApiError(400, `Cannot add "${name}": write a program or an address, and not both`)
      }
      await parts.writeServer(name, withoutMissing(entry))
      return done
    },
    async removeServer({ server }) {
      await parts.writeServer(server, undefined)
      return done
    },
  }
}
