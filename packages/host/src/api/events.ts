import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { ChatNews } from '../chat/chats.ts'
import type { ChatEvent } from '../chat/event.ts'
import type { entry as chatEntry } from './chat-schemas.ts'
import type * as s from './schemas.ts'

/** Event of the host. */
export type HostEvent =
  | { readonly event: 'server'; readonly name: string; readonly state: string; readonly why: string }
  /** Output of a server to stderr; of much that came at once the oldest lines are only counted. */
  | {
      readonly event: 'log'
      readonly server: string
      readonly lines: readonly z.output<typeof s.logLine>[]
      readonly dropped?: number
    }
  | { readonly event: 'question'; readonly question: z.output<typeof s.question> }
  /** The caller of a question does not wait any more, or has come back. */
  | { readonly event: 'question changed'; readonly question: z.output<typeof s.question> }
  | { readonly event: 'withdrawn'; readonly id: string; readonly by: string }
  | { readonly event: 'line'; readonly line: z.output<typeof s.ledgerLine> }
  | { readonly event: 'catalogue'; readonly server: string }
  | { readonly event: 'config'; readonly problems: number }
  /** Progress of a run that a page began. */
  | {
      readonly event: 'progress'
      readonly run: string
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  /** A task that a page began stands otherwise. */
  | {
      readonly event: 'task'
      readonly server: string
      readonly task: string
      readonly status: z.output<typeof s.taskState>['status']
      readonly message?: string
    }
  /** A resource that a page looks at has changed. */
  | { readonly event: 'resource'; readonly server: string; readonly uri: string }
  /** Something happened in a conversation. */
  | { readonly event: 'chat'; readonly conversation: string; readonly number: number; readonly chat: ChatEvent }
  /** An entry stands at this place of a conversation now, and none after it. */
  | {
      readonly event: 'chat entry'
      readonly conversation: string
      readonly number: number
      readonly index: number
      readonly entry: z.output<typeof chatEntry>
    }
  /** A conversation was begun, renamed or deleted. */
  | { readonly event: 'chats' }
  /** This listener did not read fast enough; so many events were dropped. */
  | { readonly event: 'missed'; readonly count: number }

/** News of a conversation as an event of the host. */
export function chatEvent(news: ChatNews): HostEvent {
  if (news.type === 'list') return { event: 'chats' }
  const { conversation, number } = news
  if (news.type === 'event') return { event: 'chat', conversation, number, chat: news.event }
  const entry = news.entry as z.output<typeof chatEntry>
  return { event: 'chat entry', conversation, number, index: news.index, entry }
}

/** Unread bytes that may wait for a slow listener. */
const maxUnreadBytes = 1024 ** 2
const maxListeners = 100
/** Characters of events written together; those of one turn of the event loop are written at once. */
const maxTogetherChars = 64 * 1024
/** Comments keep proxies and sleeping laptops from ending a quiet stream. */
const beatMs = 15_000

interface Listener {
  missed: number
  readonly beat: NodeJS.Timeout
}

/** Sends events to all listeners; for a slow reader events are dropped, and it gets their number. */
export class EventStreams {
  readonly #listeners = new Map<ServerResponse, Listener>()
  #together = ''
  #count = 0
  #turn: NodeJS.Immediate | undefined

  /** True if one more can listen. */
  get hasRoom(): boolean {
    return this.#listeners.size < maxListeners
  }

  /** Makes a response a stream of events; these come first. */
  open(response: ServerResponse, first: readonly HostEvent[]): void {
    // earlier events are only for those who listened then
    this.#flush()
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
    response.write(`: events\n\n${first.map(framed).join('')}`)
    const beat = setInterval(() => response.write(': beat\n\n'), beatMs)
    beat.unref()
    const listener = { missed: 0, beat }
    this.#listeners.set(response, listener)
    // there may be no more events after the missed ones
    response.on('drain', () => tellMissed(response, listener))
    response.on('close', () => {
      clearInterval(beat)
      this.#listeners.delete(response)
    })
  }

  tell(event: HostEvent): void {
    if (this.#listeners.size === 0) return
    this.#together += framed(event)
    this.#count += 1
    if (this.#together.length >= maxTogetherChars) this.#flush()
    else this.#turn ??= setImmediate(() => this.#flush())
  }

  close(): void {
    this.#flush()
    for (const [response, { beat }] of this.#listeners) {
      clearInterval(beat)
      response.end()
    }
    // events told while the host ends have no listeners
    this.#listeners.clear()
  }

  #flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const [together, count] = [this.#together, this.#count]
    if (count === 0) return
    this.#together = ''
    this.#count = 0
    for (const [response, listener] of this.#listeners) {
      if (response.writableLength > maxUnreadBytes) {
        listener.missed += count
        continue
      }
      tellMissed(response, listener)
      response.write(together)
    }
  }
}

function tellMissed(response: ServerResponse, listener: Listener): void {
  const { missed } = listener
  if (missed === 0 || response.writableEnded) return
  listener.missed = 0
  response.write(framed({ event: 'missed', count: missed }))
}

function framed(event: HostEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
