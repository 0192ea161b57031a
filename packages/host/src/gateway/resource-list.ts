import { type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import type { ServerKey } from '../act/server-key.ts'
import type { ResourceOwners } from './owner.ts'
import type { CursorSeal } from './sealed-cursor.ts'
import type { View } from './view.ts'

export interface ResourceListParts {
  readonly owners: ResourceOwners
  readonly seal: CursorSeal
  /** Caller that the list is for. */
  readonly binding: string
  /** Servers of the view that may have resources, first accepted first: the earlier one owns a shared address. */
  readonly servers: readonly ServerKey[]
  /** Asks one server for a page. */
  ask(server: ServerKey, params: Fields): Promise<Fields>
}

/** Position where a list continues: the server, and the cursor that it gave. */
interface Place {
  readonly server: ServerKey
  readonly cursor: string | undefined
}

/** One page of the resources of every server, page by page as they come; a server that fails is skipped and named. */
export async function listResources(request: RelayRequest, view: View, parts: ResourceListParts): Promise<Fields> {
  const { servers } = parts
  let place: Place | undefined = placeOf(request.params.cursor, servers, parts)
  const failed: string[] = []
  while (place) {
    const { server, cursor }: Place = place
    const { _meta, ...rest } = request.params
    const params = {
      ...rest,
      ...(cursor === undefined ? { cursor: undefined } : { cursor }),
      ...(_meta ? { _meta } : {}),
    }
    try {
      const page = await parts.ask(server, params)
      const resources = (page.resources as readonly Fields[]).map((one) => {
        const uri = parts.owners.shown({ server, uri: String(one.uri) }, view)
        return uri === one.uri ? one : { ...one, uri }
      })
      const next = after(place, page.nextCursor as string | undefined, servers)
      const goesOn = next && { nextCursor: parts.seal.seal([next.server, next.cursor ?? null], parts.binding) }
      const { nextCursor: _, ...own } = page
      return { ttlMs: 0, ...own, cacheScope: 'private', resources, ...goesOn, ...noted(failed, page._meta as Fields) }
    } catch (error) {
      request.signal.throwIfAborted()
      failed.push(`${server}: ${error instanceof Error ? error.message : error}`)
      place = after(place, undefined, servers)
    }
  }
  return { resources: [], ttlMs: 0, cacheScope: 'private', ...noted(failed, undefined) }
}

function after({ server }: Place, nextCursor: string | undefined, servers: readonly ServerKey[]): Place | undefined {
  if (nextCursor !== undefined) return { server, cursor: nextCursor }
  const next = servers[servers.indexOf(server) + 1]
  return next === undefined ? undefined : { server: next, cursor: undefined }
}

function noted(failed: readonly string[], meta: Fields | undefined): { readonly _meta?: Fields } {
  if (failed.length === 0) return meta ? { _meta: meta } : {}
  return { _meta: { ...meta, 'dev.trunkline/failed-servers': failed } }
}

function placeOf(text: unknown, servers: readonly ServerKey[], parts: ResourceListParts): Place | undefined {
  if (text === undefined) return servers[0] === undefined ? undefined : { server: servers[0], cursor: undefined }
  const [server, cursor] = parts.seal.open(text, parts.binding) as [ServerKey, string | null]
  if (servers.includes(server)) return { server, cursor: cursor ?? undefined }
  throw new RpcError(InvalidParams, `Cannot go on with the list: server "${server}" is not offered here any more`)
}
