import { BoundedMap } from '@trunkline/base/bounded-map'
import type { HostEvent, RouteAnswer } from '@trunkline/host/page-api'
import { useEffect } from 'react'
import { callHost } from './call.ts'
import { type ChatNews, happened, type OpenConversation, openedAgain } from './conversation.ts'
import { createStore, useStore } from './store.ts'

/** A conversation, or the error of loading it. */
export interface KnownConversation {
  readonly conversation?: OpenConversation
  readonly error?: unknown
}

const maxKept = 10

/** The conversations that were looked at last, each as it is now. */
const known = createStore<ReadonlyMap<string, KnownConversation>>(new Map())
/** News that come while a conversation is asked for; the answer may be from before them. */
const collecting = new Set<ChatNews[]>()

/** A conversation, kept up to date while it is shown. */
export function useConversation(id: string): KnownConversation {
  const all = useStore(known)
  useEffect(() => void load(id), [id])
  return all.get(id) ?? {}
}

/** Brings conversations up to date with what happened. */
export function applyChatNews(events: readonly HostEvent[]): void {
  const news = events.filter((event) => event.event === 'chat' || event.event === 'chat entry')
  if (news.length === 0) return
  for (const list of collecting) list.push(...news)
  const changed = new Map(known.get())
  for (const one of news) {
    const { conversation } = changed.get(one.conversation) ?? {}
    if (conversation) changed.set(one.conversation, { conversation: happened(conversation, one) })
  }
  known.set(changed)
}

/** Asks anew for what is known, after a time in which anything may have happened. */
export function reloadConversations(): void {
  for (const id of known.get().keys()) void load(id)
}

async function load(id: string): Promise<void> {
  const meanwhile: ChatNews[] = []
  collecting.add(meanwhile)
  try {
    const answer: RouteAnswer<'chat'> = await callHost('chat', { id })
    const later = meanwhile.filter(({ conversation }) => conversation === id)
    const before = known.get().get(id)?.conversation
    keep(id, { conversation: later.reduce(happened, openedAgain(answer, before)) })
  } catch (error) {
    const { conversation } = known.get().get(id) ?? {}
    keep(id, conversation ? { conversation, error } : { error })
  } finally {
    collecting.delete(meanwhile)
  }
}

function keep(id: string, one: KnownConversation): void {
  known.set(new BoundedMap(maxKept, known.get()).set(id, one))
}
