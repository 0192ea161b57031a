import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { RouteAnswer, RouteInput, RouteName } from '@trunkline/host/page-api'
import { callHost, HostRefusal } from './call.ts'
import { withInboxNews } from './inbox-news.ts'

/** Cache of the host's answers; events keep it up to date. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // a refusal would be repeated; a host that is away is asked again when it is back
      retry: (count, error) => !(error instanceof HostRefusal) && count < 2,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
})

/** One server as the host tells of it. */
export type ServerSummary = RouteAnswer<'servers'>['items'][number]
export type DisabledSummary = RouteAnswer<'servers'>['disabled'][number]
export type Question = RouteAnswer<'inbox'>['items'][number]
export type CatalogueEntry = RouteAnswer<'catalogue'>['items'][number]
export type ChainedLine = RouteAnswer<'ledger'>['items'][number]
export type LogLine = RouteAnswer<'log'>['items'][number]
/** Recent log lines of a server. */
export interface ServerLogLines {
  readonly items: readonly LogLine[]
  readonly dropped: number
}
export type ConversationSummary = RouteAnswer<'chats'>['items'][number]
export type ProofStatus = RouteAnswer<'proof'>
export type HostStatus = RouteAnswer<'status'>
export type RuleShown = RouteAnswer<'policy'>['rules'][number]

/** The answer to one route, kept under its name and input. */
export function routeQuery<Name extends RouteName>(name: Name, input?: RouteInput<Name>) {
  return queryOptions({
    queryKey: [name, input ?? {}] as const,
    queryFn: ({ signal }) => callHost(name, input, { signal }),
  })
}

export const statusQuery = routeQuery('status')
export const serversQuery = routeQuery('servers')
export const inboxQuery = queryOptions({
  queryKey: ['inbox', {}] as const,
  queryFn: ({ signal }) => withInboxNews(() => callHost('inbox', undefined, { signal })),
})
export const catalogueQuery = routeQuery('catalogue')
export const policyQuery = routeQuery('policy')
export const policyFileQuery = routeQuery('policyFile')
export const clientsQuery = routeQuery('clients')
export const chatsQuery = routeQuery('chats')
export const proofQuery = routeQuery('proof')
export const modelsQuery = routeQuery('models')

/** The last lines of a server's log, and how many older ones this page saw go. */
export function logQuery(server: string) {
  const queryKey = ['log', { server }] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const { items } = await callHost('log', { server }, { signal })
      return { items, dropped: queryClient.getQueryData<ServerLogLines>(queryKey)?.dropped ?? 0 }
    },
    // to compare a thousand lines with those before costs more than to draw them
    structuralSharing: false,
  })
}
