import { LogReader } from '../../../cluster/log-reader.ts'
import type { ClusterMember } from '../../../cluster/member.ts'
import type { Change } from '../../../model/types.ts'
import type { SendOptions } from '../../../rpc/channel.ts'
import type { ClusterView } from '../../../stores/cluster.ts'
import type { StoredEvent } from '../../../stores/event-store.ts'
import type { Message } from '../../../wire/messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { formatEvent } from '../server/event-format.ts'
import { orAway } from '../server/or-away.ts'
import type { EventSink, HttpReply } from '../server/request-reply.ts'
import { type OutboxEntry, type OutboxState, outboxState } from './outbox-state.ts'
import { spreadRetryMs } from './reconnect-delay.ts'
import type { StreamHeaders } from './session-stream.ts'

export interface OutboxParts {
  /** The id of the session. */
  readonly id: string
  /** The name of the session in event ids. */
  readonly alias: string
  readonly member: ClusterMember
  /** Place in the log of changes at which the session began. */
  readonly beganAt: string | undefined
  readonly retryMs: number
  primes(): boolean
  headers(): StreamHeaders
  /** Tells the session alone of a change. */
  hear(change: Change): void
  /** Tells the session that everything it watches may have changed. */
  hearAll(number: number): void
}

interface Move {
  readonly text: string
  readonly change: number
}

/** True for the name of the log of an outbox, of whichever session and history. */
export const isOutbox = (key: string): boolean => /^[^~]*-out$/.test(key)

/** Name of entries that say that there is more in an outbox. */
export const outboxGrew = 'outbox'

/**
 * Messages of a session that belong to no request: one log in the store for all processes. The process that opened a stream last
 * sends them; an entry of the log says which one that is, so that each message is sent once.
 */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #sinks = new Set<EventSink>()
  /** Number of the last entry on each stream: two that claim at once find the same ones. */
  readonly #written = new WeakMap<EventSink, number>()
  /** Announcements of changes that are not in the log yet. */
  readonly #moves: Move[] = []
  readonly #work: LogReader
  #state: OutboxState | undefined
  /** The change that this process announced last. */
  #announced: number | undefined
  /** True if changes may have been missed. */
  #isBehind = false
  /** The change up to which the log was read for this session alone; the process hears of it later, or has heard of it. */
  #readUpTo = 0
  #isCatchingUp = false
  #generation = ''
  #unview: (() => void) | undefined

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#work = new LogReader(() => this.#step(), parts.member.failed)
  }

  /** The name of the log, which begins the ids of its events. */
  get key(): string {
    return `${this.#parts.alias}-${this.#parts.member.generation}-out`
  }

  get isConnected(): boolean {
    return this.#sinks.size > 0
  }

  /** Stores a message, of which the process with the stream is told; a change is left to that process. */
  tell(message: Message, { change }: SendOptions = {}): Promise<void> | undefined {
    const text = writeMessage(message)
    if (change === undefined) return this.#append(text)
    if (this.isConnected && (this.#isCatchingUp || change > this.#readUpTo)) {
      this.#moves.push({ text, change })
      void this.#work.wake()
    }
    return undefined
  }

  /** Sends on a response what was not sent yet, or what came after an event; `false` when that is no longer stored. */
  async listen(reply: HttpReply, after?: number): Promise<boolean> {
    const { member, retryMs } = this.#parts
    if (this.#generation !== member.generation) this.#readUpTo = 0
    this.#generation = member.generation
    const missed = await orAway(member, () => this.#claim(after))
    if (!missed) return false
    const sink = reply.stream(this.#parts.headers().stream)
    this.#sinks.add(sink)
    if (after !== undefined) this.#written.set(sink, after)
    reply.onGone(() => this.#gone(sink))
    for (const event of missed) this.#write(event)
    const id = `${this.key}.${this.#state?.last}`
    if (this.#parts.primes()) void sink.write(formatEvent({ data: '', id, retryMs: spreadRetryMs(retryMs) }))
    this.#unview ??= member.onView((view) => this.#viewed(view))
    this.#isBehind = true
    void this.#work.wake()
    return true
  }

  /** Looks for changes that were not announced, because the session watches more than before. */
  catchUp(): void {
    this.#isBehind = true
    this.grew()
  }

  /** Looks for messages of other processes. */
  grew(): void {
    if (this.isConnected) void this.#work.wake()
  }

  /** Ends the streams; what was not sent stays stored. */
  close(): void {
    for (const sink of this.#sinks) {
      sink.end()
      this.#gone(sink)
    }
  }

  /** Deletes the log. */
  async drop(): Promise<void> {
    await this.#parts.member.stores.events.drop(this.key)
  }

  get #isSender(): boolean {
    return this.#state?.sender === this.#parts.member.epoch
  }

  async #append(text: string): Promise<void> {
    const { id, member } = this.#parts
    await member.stores.events.appendNext(this.key, JSON.stringify({ text } satisfies OutboxEntry))
    this.grew()
    await member.tellLive({ about: outboxGrew, session: id })
  }

  /** Becomes the process that sends, and returns what was not sent; undefined if that is no longer stored. */
  async #claim(after?: number): Promise<readonly StoredEvent[] | undefined> {
    const { member, beganAt } = this.#parts
    const { events } = member.stores
    for (;;) {
      const state = await outboxState(events, this.key, member.changes.numberAt(beganAt))
      const sent = after ?? (await this.#sentBefore(state))
      const missed = sent === state.last ? [] : await events.after(this.key, sent)
      if (!missed && after !== undefined) return undefined
      const number = state.last + 1
      const claimed = { ...state, sender: member.epoch, sent }
      if (await events.appendIf(this.key, { number, data: entryOf(claimed) })) continue
      // a step that is under way goes on with the same state
      this.#state = Object.assign(this.#state ?? {}, { ...claimed, last: number, sent: number })
      return missed ?? []
    }
  }

  /** Number of the last entry that was sent, as far as it is known. */
  async #sentBefore({ sender, sent, last }: OutboxState): Promise<number> {
    const { member } = this.#parts
    if (sender === member.epoch && this.#state) return this.#state.sent
    // a process that lives sends all up to this one's claim
    return sender !== '' && (await member.lives(sender)) ? last : sent
  }

  /** Announces the changes that no process has announced to this session. */
  async #catchUp(): Promise<void> {
    const { member, hear, hearAll } = this.#parts
    const from = this.#state?.change
    // before the log is read: a subscription that comes meanwhile has to look once more
    this.#isBehind = false
    const missed = from === undefined ? undefined : await member.changes.after(from).catch(this.#stillBehind)
    const live = this.#moves.splice(0)
    const upTo = missed ? (missed.at(-1)?.number ?? from ?? 0) : member.changes.last
    this.#isCatchingUp = true
    if (missed) for (const { change, number } of missed) hear({ ...(change as Change), number })
    else hearAll(upTo)
    this.#isCatchingUp = false
    this.#readUpTo = upTo
    this.#moves.push(...live.filter(({ change }) => change > upTo))
  }

  readonly #stillBehind = (error: unknown): never => {
    this.#isBehind = true
    throw error
  }

  /** Does the next thing; true if there may be more to do. */
  async #step(): Promise<boolean> {
    const state = this.#state
    if (!this.isConnected || !state) {
      this.#moves.length = 0
      return false
    }
    const { member } = this.#parts
    const sink = this.#sink
    if (sink?.full) await sink.full
    if (!this.#isSender && (state.sender === '' || !(await member.lives(state.sender)))) return this.#takeOver()
    if (this.#isBehind && this.#isSender) await this.#catchUp()
    const [move] = this.#moves
    if (!move) return this.#readMore(state)
    const isOld = state.change !== undefined && move.change <= state.change && move.change !== this.#announced
    if (isOld || !this.#isSender) this.#moves.shift()
    else await this.#move(move, state)
    return true
  }

  async #move({ text, change }: Move, state: OutboxState): Promise<void> {
    const number = state.last + 1
    const data = JSON.stringify({ text, change } satisfies OutboxEntry)
    const refusal = await this.#parts.member.stores.events.appendIf(this.key, { number, data })
    // another process wrote something, which has to be read first
    if (refusal) return void (await this.#readMore(state))
    this.#moves.shift()
    this.#announced = change
    this.#seen({ number, data }, state)
  }

  async #takeOver(): Promise<boolean> {
    const missed = await this.#claim()
    for (const event of missed ?? []) this.#write(event)
    this.#isBehind = true
    return true
  }

  async #readMore(state: OutboxState): Promise<boolean> {
    const events = await this.#parts.member.stores.events.after(this.key, state.last)
    for (const event of events ?? []) this.#seen(event, state)
    return (events?.length ?? 0) > 0
  }

  #seen(event: StoredEvent, state: OutboxState): void {
    const { sender, change } = JSON.parse(event.data) as OutboxEntry
    if (event.number <= state.last) return
    state.last = event.number
    if (sender !== undefined) state.sender = sender
    if (change !== undefined) state.change = change
    if (this.#isSender) this.#write(event)
  }

  // a client that comes back has left the stream before
  get #sink(): EventSink | undefined {
    return [...this.#sinks].at(-1)
  }

  #viewed({ generation }: ClusterView): void {
    // ids of another history mean nothing, so that the client has to begin anew
    if (generation !== this.#generation) this.close()
    else if (!this.#isSender) void this.#work.wake()
  }

  #write({ number, data }: StoredEvent): void {
    const { text } = JSON.parse(data) as OutboxEntry
    if (this.#state) this.#state.sent = Math.max(this.#state.sent, number)
    const sink = this.#sink
    if (!sink || number <= (this.#written.get(sink) ?? 0)) return
    this.#written.set(sink, number)
    if (text !== undefined) void sink.write(formatEvent({ data: text, id: `${this.key}.${number}` }))
  }

  #gone(sink: EventSink): void {
    if (!this.#sinks.delete(sink) || this.isConnected) return
    this.#unview?.()
    this.#unview = undefined
    this.#release().catch(this.#parts.member.failed)
  }

  /** Lets another process send, which has a stream or will have one. */
  async #release(): Promise<void> {
    const { member } = this.#parts
    const state = this.#state
    if (!state || !this.#isSender || member.generation !== this.#generation) return
    this.#state = undefined
    const event = { number: state.last + 1, data: entryOf({ ...state, sender: '' }) }
    // refused where another process wrote something: then the sender is one without a stream, until the next stream
    await member.stores.events.appendIf(this.key, event)
  }
}

/** The entry that names a sender. */
function entryOf({ sender, sent, change }: OutboxState): string {
  return JSON.stringify({ sender, sent, ...(change !== undefined && { change }) } satisfies OutboxEntry)
}
