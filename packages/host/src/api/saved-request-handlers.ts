import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import { SavedRequestTable } from '../store/tables/saved-request-table.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

/** Saved requests of one tool. */
const maxPerTool = 100
/** Bytes of the arguments of one. */
const maxBytes = 64 * 1_024

/** Requests of tools that a person saved under names; what looks like a secret is masked before it is kept. */
export function savedRequestHandlers({
  store,
}: Pick<ApiParts, 'store'>): Pick<Handlers, 'savedRequests' | 'saveRequest' | 'removeRequest'> {
  const table = new SavedRequestTable(store)
  const all = (server: string, tool: string): RouteAnswer<'savedRequests'> => ({
    items: table.of(server, tool).map(({ name, arguments: kept, at }) => {
      return { name, arguments: JSON.parse(kept) as Fields, at }
    }),
  })
  return {
    savedRequests: ({ server, tool }) => all(server, tool),
    async saveRequest({ server, tool, name, arguments: given }) {
      const text = JSON.stringify(redact(given))
      if (Buffer.byteLength(text) > maxBytes) {
        throw new ApiError(413, `Cannot save "${name}": its arguments take more than ${maxBytes / 1_024} KiB`)
      }
      const others = table.of(server, tool).filter((one) => one.name !== name)
      if (others.length >= maxPerTool) {
        throw new ApiError(
          429,
          `Cannot save "${name}": ${maxPerTool} requests of "${tool}" are saved; remove one first`,
        )
      }
      await store.durable(() => table.put(server, tool, { name, arguments: text, at: Date.now() }))
      return all(server, tool)
    },
    async removeRequest({ server, tool, name }) {
      let isRemoved = false
      await store.durable(() => {
        isRemoved = table.remove(server, tool, name)
      })
      if (!isRemoved) throw new ApiError(404, `There is no saved request "${name}" of "${tool}"`)
      return done
    },
  }
}
