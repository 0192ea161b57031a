import { randomId } from '@trunkline/base/random-id'
import type { ClusterMember } from '../../../cluster/member.ts'
import type { Sender } from '../../../rpc/channel.ts'
import type { EventStore } from '../../../stores/event-store.ts'
import { MemoryEventStore } from '../../../stores/memory-event-store.ts'
import type { SessionRecord, SessionStore } from '../../../stores/session-store.ts'
import { checkedDelay, every } from '../../timers.ts'
import { ConcurrencyLimit } from '../server/concurrency-limit.ts'
import type { HttpLimits } from '../server/http-limits.ts'
import { HttpRefusal, shuttingDown } from '../server/refusals.ts'
import { MessageForwarding } from './message-forwarding.ts'
import { outboxGrew } from './outbox.ts'
import { Session, type SessionParts } from './session.ts'
import { SessionPersistence } from './session-persistence.ts'
import { SharedSession, sessionChanged } from './shared-session.ts'
import { StreamFollowers } from './stream-followers.ts'

/** Options of sessions. */
export interface SessionOptions {
  /** Milliseconds without a request or a stream after which a session ends. @default 1_800_000 */
  readonly idleMs?: number
  /**
   * Milliseconds before a client resumes a lost stream; each gets a random value of up to three times that. @default
   * 1_000
   */
  readonly retryMs?: number
  /**
   * Gives a caller with as many sessions as it may have another one, and ends its least recently used one that is not
   * in use: many clients never end theirs. @default false, it is refused
   */
  readonly replaceUnused?: boolean
  /** Stores events for clients that resume streams. @default in memory, bounded */
  readonly events?: EventStore
  /**
   * Stores sessions, so that other processes can restore them. @default none: sessions live in this process, as many
   * as `maxSessions` says
   */
  readonly store?: SessionStore
}

const defaults = { idleMs: 1_800_000, retryMs: 1_000, replaceUnused: false } as const

/** Limits of sessions. */
export type SessionLimits = Pick<HttpLimits, 'maxSessions' | 'maxSessionsPerCaller'>

/** The parts of their endpoint that sessions need. */
export type SessionTableParts = Pick<SessionParts, 'serve' | 'take' | 'report'> & {
  readonly limits: SessionLimits
  /** This process in its cluster, if there is one. */
  readonly member?: ClusterMember | undefined
}

/** Name of entries that say that a session has ended. */
const ended = 'ended session'

interface Open {
  readonly session: Session
  /** Its state in the cluster, if there is one. */
  readonly shared: SharedSession | undefined
  /** The sender of the last request, in a cluster. */
  sender?: Sender
  seenAt: number
}

/** Every session of one endpoint, by id and by caller. */
export class SessionTable {
  readonly #options: Required<Omit<SessionOptions, 'store'>>
  readonly #store: SessionStore | undefined
  readonly #parts: SessionTableParts
  readonly #open = new Map<string, Open>()
  readonly #slots: ConcurrencyLimit
  readonly #loading = new Map<string, Promise<SessionRecord | undefined>>()
  /** The sessions whose records are being deleted. */
  readonly #ending = new Set<string>()
  readonly #forwarding: MessageForwarding | undefined
  readonly #followers: StreamFollowers | undefined
  #sweep: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  constructor(parts: SessionTableParts, options: SessionOptions = {}) {
    const { member } = parts
    const { idleMs, retryMs, store, ...rest } = {
      ...defaults,
      ...(member ? { events: member.stores.events } : { events: new MemoryEventStore() }),
      ...options,
    }
    this.#options = { ...rest, idleMs: checkedDelay('idleMs', idleMs), retryMs: checkedDelay('retryMs', retryMs) }
    this.#store = store
    this.#parts = parts
    this.#forwarding = member && new MessageForwarding(member, (id) => this.#open.get(id)?.session)
    member?.on(outboxGrew, ({ session }) => this.#open.get(session as string)?.session.outboxGrew())
    member?.on(sessionChanged, ({ session }) => this.#changedElsewhere(session as string))
    this.#followers = member && new StreamFollowers(member)
    member?.onReturn(() => {
      for (const { session } of this.#open.values()) session.answersLost()
    })
    member?.on(ended, ({ session }) => void this.#open.get(session as string)?.session.close())
    this.#slots = new ConcurrencyLimit('sessions', parts.limits.maxSessions, parts.limits.maxSessionsPerCaller)
  }

  get size(): number {
    return this.#open.size
  }

  /** Starts a session for a principal. */
  start(principal: string | undefined): Session {
    const alias = randomId(33)
    const { member } = this.#parts
    const record = {
      alias,
      messages: [],
      ...(principal !== undefined && { principal }),
      ...(member && { changes: member.changes.place }),
    }
    const prefix = member ? `${alias}-${member.nextId()}` : alias
    return this.#make(randomId(33), record, prefix).session
  }

  /** Finds a session by id, if it belongs to the caller. */
  find(id: string, principal: string | undefined): Session | undefined {
    const entry = this.#open.get(id)
    if (!entry || entry.session.principal !== principal) return undefined
    entry.seenAt = performance.now()
    return entry.session
  }

  /** True if an unknown session may be in the store. */
  mayRestore(id: string): boolean {
    return this.#store !== undefined && !this.#open.has(id) && !this.#ending.has(id)
  }

  /** Restores a session from the store, if it belongs to the caller. */
  async restore(id: string, principal: string | undefined): Promise<void> {
    const record = await this.#load(id)
    // another request may have restored it meanwhile
    if (!record || record.principal !== principal || !this.mayRestore(id)) return
    if (this.#isClosed) throw shuttingDown()
    const sender = principal === undefined ? {} : { principal }
    this.#make(id, record, `${record.alias}-${randomId(33)}`).session.restore(record.messages, sender)
  }

  /** Brings a session to the state that the store of the cluster has now, or forgets one that has ended there. */
  async refresh(id: string, member: ClusterMember, sender: Sender): Promise<void> {
    const { sessions } = member.stores
    const version = this.#open.get(id)?.shared?.version
    const known = this.#open.get(id)
    if (known) known.sender = sender
    // it may have idled out here while its version was read
    if (version !== undefined && (await sessions.version(id)) === version && this.#open.has(id)) return
    const stored = await sessions.read(id)
    if (!stored) void this.#open.get(id)?.session.close()
    if (!stored || stored.record.principal !== sender.principal || this.#ending.has(id)) return
    if (this.#isClosed) throw shuttingDown()
    const open = this.#open.get(id) ?? this.#make(id, stored.record, `${stored.record.alias}-${member.nextId()}`)
    open.sender = sender
    const messages = open.shared?.missing(stored) ?? []
    if (messages.length === 0) return
    open.session.restore(messages, sender)
    // a change may have come before the subscription to it
    open.session.catchUp()
  }

  /** Ends a session; rejects when its record cannot be deleted. */
  async end(session: Session): Promise<void> {
    this.#ending.add(session.id)
    await session.end().finally(() => this.#ending.delete(session.id))
    const { member } = this.#parts
    await member?.tellAll({ about: ended, session: session.id }).catch(member.failed)
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#open.values()].map(({ session }) => session.leave()))
  }

  #make(id: string, record: SessionRecord, prefix: string): Open {
    const { principal, alias } = record
    const { member } = this.#parts
    const shared = member && new SharedSession({ id, member, record })
    const { events, retryMs, idleMs } = this.#options
    const release = this.#take(principal)
    const session = new Session({
      ...this.#parts,
      id,
      principal,
      alias,
      prefix,
      events,
      retryMs,
      persistence: shared ?? this.#persistence(id, record),
      forwarding: this.#forwarding,
      member,
      beganAt: record.changes,
      followers: this.#followers,
      onClose: () => {
        release()
        this.#forget(id)
      },
    })
    const open = { session, shared, seenAt: performance.now() }
    this.#open.set(id, open)
    this.#sweep ??= every(Math.min(idleMs, 60_000), () => this.#expire())
    return open
  }

  #persistence(id: string, record: SessionRecord): SessionPersistence | undefined {
    return this.#store && new SessionPersistence({ id, store: this.#store, record, report: this.#parts.report })
  }

  #take(principal: string | undefined): () => void {
    // on runtimes without lasting timers this is the only sweep
    if (this.#open.size >= this.#parts.limits.maxSessions) this.#expire()
    if (this.#options.replaceUnused && !this.#slots.hasRoom(principal)) this.#replaceUnused(principal)
    if (!this.#slots.hasRoom(principal)) throw new HttpRefusal(503, 'Too many sessions', { 'retry-after': '10' })
    return this.#slots.take(principal)
  }

  #replaceUnused(principal: string | undefined): void {
    let oldest: Open | undefined
    for (const entry of this.#open.values()) {
      if (entry.session.principal !== principal || entry.session.isBusy) continue
      if (oldest === undefined || entry.seenAt < oldest.seenAt) oldest = entry
    }
    if (oldest) this.#endUnused(oldest.session)
  }

  #endUnused(session: Session): void {
    this.end(session).catch((error: unknown) => this.#parts.report(error, 'Deleting a session'))
  }

  #load(id: string): Promise<SessionRecord | undefined> {
    const load = async (): Promise<SessionRecord | undefined> => this.#store?.load(id)
    const loading = this.#loading.get(id) ?? load().finally(() => this.#loading.delete(id))
    this.#loading.set(id, loading)
    return loading
  }

  // without a stream here, the next request is early enough
  async #changedElsewhere(id: string): Promise<void> {
    const { member } = this.#parts
    const open = this.#open.get(id)
    if (member && open?.session.isListening) await this.refresh(id, member, open.sender ?? {}).catch(member.failed)
  }

  #forget(id: string): void {
    this.#open.delete(id)
    if (this.#open.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #expire(): void {
    const before = performance.now() - this.#options.idleMs
    for (const entry of this.#open.values()) {
      if (entry.session.isBusy) entry.seenAt = performance.now()
      else if (entry.seenAt < before) this.#evict(entry)
    }
  }

  // a session of a cluster may be in use in another process
  #evict({ session, shared }: Open): void {
    if (shared) void session.close()
    else this.#endUnused(session)
  }
}
