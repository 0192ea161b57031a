import type { HostEvent, RouteAnswer } from '@trunkline/host/page-api'
import { activity, addLines } from './activity.ts'
import { callHost } from './call.ts'
import { applyChatNews, reloadConversations } from './conversations.ts'
import { afterNews, type InboxNews, noteInboxNews } from './inbox-news.ts'
import { addProgress } from './progress.ts'
import {
  catalogueQuery,
  chatsQuery,
  inboxQuery,
  modelsQuery,
  policyFileQuery,
  policyQuery,
  queryClient,
  routeQuery,
  serversQuery,
  statusQuery,
} from './queries.ts'
import { refreshSoon } from './refresh-soon.ts'
import { noteChange } from './resource-changes.ts'
import { addLog } from './server-logs.ts'
import { addSettled } from './settled.ts'

const countsWaitMs = 2_000
const missedWaitMs = 1_000

/** Brings what the page knows up to date with what happened. */
export function applyEvents(events: readonly HostEvent[]): void {
  const lines = events.flatMap((event) => (event.event === 'line' ? [event.line] : []))
  const missed = events.reduce((sum, event) => sum + (event.event === 'missed' ? event.count : 0), 0)
  addLines(lines, missed)
  // states are refreshed at once; the counts of calls may come later
  if (lines.length > 0) refreshSoon(serversQuery.queryKey, countsWaitMs)
  if (missed > 0) refreshEverythingSoon()
  applyChatNews(events)
  for (const event of events) apply(event)
}

/** Asks for everything anew that is on the screen, and for what happened meanwhile. */
export function refreshEverything(): void {
  void queryClient.invalidateQueries()
  reloadConversations()
  void catchUp().catch(() => {})
}

let isRefreshing = false

/** The same, once for all that is missed within a moment: who is too slow already is not asked for more. */
function refreshEverythingSoon(): void {
  if (isRefreshing) return
  isRefreshing = true
  setTimeout(() => {
    isRefreshing = false
    refreshEverything()
  }, missedWaitMs)
}

/** Fetches the newest lines of the ledger, as far as this page does not have them. */
async function catchUp(): Promise<void> {
  // lines that arrive while the host answers are newer than its answer
  const last = activity.get().lines.at(-1)?.number ?? -1
  const { items } = await callHost('ledger', { most: 1_000 })
  addLines(items.filter(({ number }) => number > last).reverse())
}

function apply(event: HostEvent): void {
  switch (event.event) {
    case 'server':
      changeServer(event)
      // what it says of itself is known from now on; one that stopped may be gone, and is not asked about
      if (event.state === 'ready') refreshSoon(routeQuery('server', { server: event.name }).queryKey)
      return refreshSoon(serversQuery.queryKey)
    case 'log':
      return addLog(event)
    case 'question':
    case 'question changed':
    case 'withdrawn':
      return changeInbox(event)
    case 'catalogue':
      refreshSoon(['resources', event.server])
      refreshSoon(catalogueQuery.queryKey)
      return refreshSoon(serversQuery.queryKey)
    case 'config':
      for (const { queryKey } of [statusQuery, serversQuery, policyQuery, policyFileQuery, modelsQuery]) {
        refreshSoon(queryKey)
      }
      return
    case 'chat entry':
    case 'chats':
      return refreshSoon(chatsQuery.queryKey)
    case 'progress':
      return addProgress(event)
    case 'task':
      return refreshSoon(routeQuery('task', { server: event.server, task: event.task }).queryKey)
    case 'resource':
      return noteChange(event.server, event.uri)
  }
}

function changeServer({ name, state, why }: HostEvent & { readonly event: 'server' }): void {
  queryClient.setQueryData(serversQuery.queryKey, (known) => {
    if (!known) return known
    const changed = { state: state as RouteAnswer<'servers'>['items'][number]['state'], why, since: Date.now() }
    return { ...known, items: known.items.map((one) => (one.key === name ? { ...one, ...changed } : one)) }
  })
}

/** A question came, or was settled; what is asked for at the moment will know of it too. */
function changeInbox(news: InboxNews): void {
  noteInboxNews(news)
  const known = queryClient.getQueryData(inboxQuery.queryKey)
  if (news.event === 'withdrawn') {
    const question = known?.items.find(({ id }) => id === news.id)
    if (question) addSettled(question, news.by)
  }
  // of a page that knows nothing yet, the first answer will tell
  if (known) queryClient.setQueryData(inboxQuery.queryKey, afterNews(known, news))
}
