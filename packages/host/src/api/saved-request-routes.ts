import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import { z } from 'zod'
import type { SavedRequestTable } from '../store/tables/saved-request-table.ts'
import { ApiError } from './api-error.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'

/** Saved requests of one tool. */
const maxPerTool = 100
/** Saved requests of all tools. */
const maxAll = 1_000
/** Bytes of the arguments of one. */
const maxBytes = 64 * 1_024

const saved = s.list(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()), at: z.number() }))

/** Routes of requests of tools that a person saved under names; what looks like a secret is masked before it is kept. */
export const savedRequestRoutes = {
  savedRequests: route({
    method: 'GET',
    path: '/api/servers/{server}/tools/{tool}/requests',
    needs: 'nothing',
    says: 'Arguments for a tool that were saved under names',
    answer: saved,
    handle: ({ server, tool }, { savedRequests }) => shown(savedRequests, server, tool),
  }),
  saveRequest: route({
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/requests',
    needs: 'person',
    says: 'Saves arguments for a tool under a name; what looks like a secret is masked',
    body: z.strictObject({ name: z.string().trim().min(1).max(100), arguments: z.record(z.string(), z.unknown()) }),
    answer: saved,
    async handle({ server, tool, name, arguments: given }, { host, savedRequests }) {
      const text = JSON.stringify(redact(given))
      if (Buffer.byteLength(text) > maxBytes) {
        throw new ApiError(413, `Cannot save "${name}": its arguments take more than ${maxBytes / 1_024} KiB`)
      }
      const own = savedRequests.of(server, tool)
      if (!own.some((one) => one.name === name)) {
        if (own.length >= maxPerTool) throw full(name, `${maxPerTool} requests of "${tool}"`)
        if (savedRequests.count >= maxAll) throw full(name, `${maxAll} requests`)
      }
      await host.store.durable(() => savedRequests.put(server, tool, { name, arguments: text, at: Date.now() }))
      return shown(savedRequests, server, tool)
    },
  }),
  removeRequest: route({
    method: 'DELETE',
    path: '/api/servers/{server}/tools/{tool}/requests/{name}',
    needs: 'person',
    says: 'Removes saved arguments',
    answer: s.confirmation,
    async handle({ server, tool, name }, { host, savedRequests }) {
      let isRemoved = false
      await host.store.durable(() => {
        isRemoved = savedRequests.remove(server, tool, name)
      })
      if (!isRemoved) throw new ApiError(404, `There is no saved request "${name}" of "${tool}"`)
      return done
    },
  }),
}

function full(name: string, kept: string): ApiError {
  return new ApiError(429, `Cannot save "${name}": ${kept} are saved; remove one first`)
}

function shown(table: SavedRequestTable, server: string, tool: string): z.output<typeof saved> {
  return {
    items: table.of(server, tool).map(({ name, arguments: kept, at }) => {
      return { name, arguments: JSON.parse(kept) as Fields, at }
    }),
  }
}
