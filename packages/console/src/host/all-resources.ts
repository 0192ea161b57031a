import { useQueries } from '@tanstack/react-query'
import { callHost } from './call.ts'

/** A resource that a server lists. */
export interface ListedResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** Resources that one server lists. */
export interface ServerResources {
  readonly server: string
  readonly items: readonly ListedResource[]
  /** True if it has more resources than were asked for. */
  readonly hasMore: boolean
  readonly problem: string | undefined
  readonly isPending: boolean
}

const maxPages = 20
const maxListed = 5_000

/** The resources of all these servers, asked for at the same time; their lists come again when they change. */
export function useAllResources(servers: readonly string[]): readonly ServerResources[] {
  return useQueries({
    queries: servers.map((server) => ({
      queryKey: ['resources', server],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => listAll(server, signal),
      staleTime: 60_000,
    })),
    combine: (results) =>
      results.map(({ data, error, isPending }, index) => ({
        server: servers[index] ?? '',
        items: data?.items ?? [],
        hasMore: data?.hasMore ?? false,
        problem: data?.problem ?? error?.message,
        isPending,
      })),
  })
}

async function listAll(server: string, signal: AbortSignal): Promise<Omit<ServerResources, 'server' | 'isPending'>> {
  const items: ListedResource[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && items.length < maxListed; page += 1) {
    const input = { server, ...(cursor !== undefined && { cursor }) }
    const { result, error } = await callHost('resources', input, { signal })
    if (error) return { items, hasMore: false, problem: error.message }
    items.push(...(Array.isArray(result?.resources) ? result.resources : []).flatMap((one) => listed(server, one)))
    cursor = typeof result?.nextCursor === 'string' ? result.nextCursor : undefined
    if (cursor === undefined) break
  }
  return { items, hasMore: cursor !== undefined, problem: undefined }
}

function listed(server: string, given: unknown): readonly ListedResource[] {
  const { uri, name, title, description } = (given ?? {}) as { readonly [key: string]: unknown }
  if (typeof uri !== 'string') return []
  return [{ server, uri, name: String(title ?? name ?? uri), description: String(description ?? '') }]
}
