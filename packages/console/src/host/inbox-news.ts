import type { HostEvent, RouteAnswer } from '@trunkline/host/page-api'

/** Event about questions. */
export type InboxNews = Extract<HostEvent, { readonly event: 'question' | 'question changed' | 'withdrawn' }>

type Inbox = RouteAnswer<'inbox'>

/** News that come while the host is asked for all questions. */
const collecting = new Set<InboxNews[]>()

/** The questions that wait after one more came, or one was settled. */
export function afterNews({ items }: Inbox, news: InboxNews): Inbox {
  if (news.event === 'withdrawn') return { items: items.filter(({ id }) => id !== news.id) }
  const others = items.filter(({ id }) => id !== news.question.id)
  return { items: [...others, news.question].sort((one, other) => one.askedAt - other.askedAt) }
}

/** Keeps news for the answers that are on their way. */
export function noteInboxNews(news: InboxNews): void {
  for (const list of collecting) list.push(news)
}

/** Answer of the host, with all events since the request: the answer may be older than they are. */
export async function withInboxNews(ask: () => Promise<Inbox>): Promise<Inbox> {
  const meanwhile: InboxNews[] = []
  collecting.add(meanwhile)
  try {
    const answer = await ask()
    return meanwhile.reduce(afterNews, answer)
  } finally {
    collecting.delete(meanwhile)
  }
}
