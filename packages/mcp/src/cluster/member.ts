import { randomId } from '@trunkline/base/random-id'
import type { ClusterStores, ClusterView, ProcessFacts } from '../stores/cluster.ts'
import type { Limiter } from '../stores/limiter.ts'
import { MemoryLimiter } from '../stores/memory-limiter.ts'
import { McpError, RateLimited } from '../wire/errors.ts'
import { Broadcast } from './broadcast.ts'
import { ChangeLog } from './change-log.ts'
import { type ClusterOptions, clusterOptionsOf } from './cluster-options.ts'
import { type EntryHandler, InboxReader, type ProcessEntry } from './inbox-reader.ts'

export type { ProcessEntry } from './inbox-reader.ts'

/** Work that a process has besides its requests. */
export interface ProcessWork {
  /** Hands on what others can go on with; resolves when nothing is left to wait for. May be called again. */
  finish(): Promise<void>
  /** Hands on the rest. */
  leave(): Promise<void>
}

/** Facts of a server that joins a cluster. */
export interface MemberParts {
  /** Name of the server. */
  readonly server: string
  /** Ids of its sealing keys, the one that it seals with first; empty if it has none of its own. */
  sealingKeys(): Promise<readonly string[]>
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** Milliseconds by which the clock of a process may differ from that of the store. */
const mostClockErrorMs = 5_000

/** One process of a cluster: announces itself, and reads what others write to it. */
export class ClusterMember {
  /** Name of this start of the process. */
  readonly epoch = randomId(12)
  readonly stores: ClusterStores
  /** Changes of the server, which all processes are told of. */
  readonly changes: ChangeLog
  /** Milliseconds after which a process that is no longer heard of counts as ended. */
  readonly leaseMs: number
  readonly #pollMs: number
  readonly #parts: MemberParts
  readonly #polls = new Set<() => void>()
  readonly #viewers = new Set<(view: ClusterView) => void>()
  readonly #returns = new Set<() => void>()
  readonly #rings = new Map<string, () => void>()
  readonly #work = new Set<ProcessWork>()
  readonly #inbox: InboxReader
  readonly #broadcast: Broadcast
  /** Counts the calls of this process while the store is away. */
  #ownLimiter: Limiter | undefined
  #facts: ProcessFacts | undefined
  #view: ClusterView | undefined
  #starting: Promise<void> | undefined
  /** Time at which the last beat that arrived was sent, by the clock of this process. */
  #beatAt = 0
  #asked = 0
  #trouble: string | undefined
  #timers: ReturnType<typeof setTimeout>[] = []
  #stopListening: (() => void) | undefined
  #isJoined = false
  #hasLeft = false

  constructor(options: ClusterStores | ClusterOptions, parts: MemberParts) {
    const { stores, leaseMs, pollMs } = clusterOptionsOf(options)
    this.stores = stores
    this.leaseMs = leaseMs
    this.#pollMs = pollMs
    this.#parts = parts
    this.#inbox = new InboxReader({
      epoch: this.epoch,
      inbox: stores.inbox,
      // numbers of an inbox that was deleted meanwhile begin anew, and a look by the old ones would drop entries
      isOpen: () => this.#view !== undefined && !this.#hasLeft && !this.#isLapsed,
      failed: this.failed,
      report: parts.report,
    })
    this.#broadcast = new Broadcast(stores.inbox)
    this.changes = new ChangeLog(this)
    this.onRing(this.epoch, () => void this.#inbox.wake())
    this.onPoll(() => void this.#inbox.wake())
  }

  /** Joins the cluster; rejects when the server does not fit the processes that live, or the store is away. */
  start(): Promise<void> {
    this.#starting ??= this.#join().catch((error: unknown) => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }

  /** Counts rates in the store; while that is away, calls with a rate are refused, unless all their rates are open. */
  readonly limiter: Limiter = {
    take: async (rates) => {
      try {
        return await this.stores.limiter.take(rates)
      } catch (error) {
        this.failed(error)
        this.#ownLimiter ??= new MemoryLimiter()
        if (rates.every(({ storeAway }) => storeAway === 'open')) return this.#ownLimiter.take(rates)
        const message = 'Cannot count the call: the store of the rates does not answer'
        throw new RateLimited(message, { limit: 'store', retryAfterMs: 1_000 })
      }
    },
  }

  /** Undefined once this process has joined; a promise of that before. */
  get joining(): Promise<void> | undefined {
    return this.#isJoined ? undefined : this.start()
  }

  /** Reason why this process should get no requests; undefined if it should. */
  get trouble(): string | undefined {
    if (!this.#view) return 'the cluster was not joined yet'
    if (this.#isLapsed) return 'the store does not answer'
    return this.#trouble
  }

  /** Name of the store's present history, which begins the names of logs that processes share. */
  get generation(): string {
    return this.#view?.generation ?? ''
  }

  /** True if a process lives; the store is asked about one that was not there at the last beat. */
  async lives(epoch: string): Promise<boolean> {
    return this.#view?.live.some((other) => other.epoch === epoch) === true || this.stores.presence.isLive(epoch)
  }

  /** The next id of a question, or number of a stream, that no other process gives. */
  nextId(): string {
    return `${this.epoch}.${this.#asked++}`
  }

  /** The process that gave an id, if it has the form of one. */
  ownerOf(id: unknown): string | undefined {
    return typeof id === 'string' ? /^([\w-]{12})\.\d+$/.exec(id)?.[1] : undefined
  }

  /** Handles what other processes say about something; what they say next waits for a returned promise. */
  on(about: string, handler: EntryHandler): void {
    this.#inbox.on(about, handler)
  }

  /** Adds work that is handed on when this process ends. */
  addWork(work: ProcessWork): void {
    this.#work.add(work)
  }

  /** Calls back when a bell rings, or some rings may have been missed; the returned function ends it. */
  onRing(name: string, handler: () => void): () => void {
    this.#rings.set(name, handler)
    return () => this.#rings.delete(name)
  }

  /** Calls back from time to time, to look for what no bell has announced. */
  onPoll(handler: () => void): () => void {
    this.#polls.add(handler)
    return () => this.#polls.delete(handler)
  }

  /** Calls back with each beat. */
  onView(handler: (view: ClusterView) => void): () => void {
    this.#viewers.add(handler)
    return () => this.#viewers.delete(handler)
  }

  /** Calls back when others may have taken this process for ended, or the store has lost entries: what they told it may be gone. */
  onReturn(handler: () => void): void {
    this.#returns.add(handler)
  }

  /** Tells other processes something; resolves with those that will hear of it. */
  async tell(epochs: readonly string[], entry: ProcessEntry): Promise<readonly string[]> {
    if (epochs.length === 0) return []
    return this.stores.inbox.post(epochs, this.#textOf(entry))
  }

  /** Tells all other processes something, those included that have just started. */
  async tellLive(entry: ProcessEntry): Promise<void> {
    await this.tell(this.#othersIn(await this.#beat()), entry)
  }

  /** Tells all other processes something, those included that are cut off at the moment, when they are back. */
  async tellAll(entry: ProcessEntry): Promise<void> {
    await this.#broadcast.tell(this.#othersIn(await this.#beat()), this.#textOf(entry))
  }

  /** Resolves when all that others have told this process so far is handled. */
  settled(): Promise<void> {
    return this.#inbox.wake()
  }

  /** Rings bells, which is only a hint; a failure of the store is reported. */
  async ring(names: readonly string[]): Promise<void> {
    try {
      await this.stores.bell.ring(names)
    } catch (error) {
      this.failed(error)
    }
  }

  /** Hands on work to other processes, because this one ends soon; resolves when nothing is left to wait for. */
  async finish(): Promise<void> {
    await Promise.all([...this.#work].map((work) => work.finish().catch(this.failed)))
  }

  /** Leaves the cluster. */
  async leave(): Promise<void> {
    await Promise.all([...this.#work].map((work) => work.leave().catch(this.failed)))
    this.#hasLeft = true
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    this.#stopListening?.()
    await this.#starting?.catch(() => {})
    await this.stores.presence.leave(this.epoch)
  }

  /** Reports that the store failed, once until it works again. */
  readonly failed = (error: unknown): void => {
    if (this.#trouble === undefined) this.#parts.report(error, `The store "${this.stores.engine}"`)
    this.#trouble ??= 'the store failed'
  }

  async #join(): Promise<void> {
    const { server } = this.#parts
    this.#facts ??= { epoch: this.epoch, server, sealingKeys: await this.#parts.sealingKeys() }
    const sentAt = performance.now()
    const view = await this.stores.presence.beat(this.#facts, this.leaseMs)
    const problem = misfit(this.#facts, view) ?? clockProblem(view)
    if (problem !== undefined) {
      await this.stores.presence.leave(this.epoch)
      throw new McpError('Misuse', `Cannot join the cluster: ${problem}`)
    }
    this.#beatAt = sentAt
    // before the first look: what is rung after that look must be heard
    this.#stopListening ??= await this.stores.bell.listen(this.#rung)
    this.#seen(view)
    // work may have begun before, as calls do that need no store
    this.#rung()
    await this.changes.read()
    this.#isJoined = true
    this.#repeat(() => this.#beat().then(() => {}, this.failed), this.leaseMs / 3)
    this.#repeat(() => this.#look(), this.#pollMs)
    this.#look()
  }

  async #beat(): Promise<ClusterView> {
    if (!this.#facts) throw new McpError('Misuse', 'Cannot use the cluster before it was joined')
    const sentAt = performance.now()
    const wasLapsed = this.#isLapsed
    const { generation } = this
    const view = await this.stores.presence.beat(this.#facts, this.leaseMs)
    const isReturn = wasLapsed || view.generation !== generation
    // the inbox may have been deleted or have lost its last entries, and new ones have the numbers of those
    if (isReturn) this.#inbox.restarted()
    this.#beatAt = sentAt
    this.#seen(view)
    if (isReturn) for (const handler of this.#returns) handler()
    return view
  }

  #seen(view: ClusterView): void {
    this.#view = view
    this.#trouble = clockProblem(view)
    for (const viewer of this.#viewers) viewer(view)
    this.#broadcast.tellRest(this.#othersIn(view)).catch(this.failed)
  }

  #othersIn({ live }: ClusterView): readonly string[] {
    return live.map(({ epoch }) => epoch).filter((epoch) => epoch !== this.epoch)
  }

  #textOf(entry: ProcessEntry): string {
    return JSON.stringify({ ...entry, entryId: this.nextId() })
  }

  get #isLapsed(): boolean {
    return performance.now() - this.#beatAt > this.leaseMs
  }

  readonly #rung = (name?: string): void => {
    if (name === undefined) for (const handler of this.#rings.values()) handler()
    else this.#rings.get(name)?.()
  }

  #look(): void {
    for (const poll of this.#polls) poll()
  }

  // at random, because processes that start together should not ask together
  #repeat(run: () => void, everyMs: number): void {
    const place = this.#timers.length
    const again = (): void => {
      if (this.#hasLeft) return
      const timer = setTimeout(
        () => {
          run()
          again()
        },
        everyMs * (0.75 + Math.random() / 2),
      )
      if (typeof timer === 'object') timer.unref()
      this.#timers[place] = timer
    }
    again()
  }
}

/** Reason why the clock of this process cannot be used: tokens, seals and proofs go by it. */
function clockProblem({ now }: ClusterView): string | undefined {
  const errorMs = Date.now() - now
  if (Math.abs(errorMs) <= mostClockErrorMs) return undefined
  return `the clock of this process is ${Math.round(errorMs / 1_000)} s ahead of the store's; set both by NTP`
}

/** Reason why a process cannot work with those that live. */
function misfit({ epoch, server, sealingKeys }: ProcessFacts, { live }: ClusterView): string | undefined {
  const [own] = sealingKeys
  if (own === undefined)
    return 'the server has no "keys": give server() the same ones in every process, for example from "openssl rand -base64 32"'
  for (const other of live) {
    const [theirs] = other.sealingKeys
    if (other.epoch === epoch) continue
    if (other.server !== server)
      return `the server "${other.server}" uses these stores; give "${server}" a prefix or schema of its own`
    if (theirs === undefined || !sealingKeys.includes(theirs) || !other.sealingKeys.includes(own))
      return 'another process seals with keys that this one does not have, or the reverse; add a new key as the last one everywhere, then put it first'
  }
  return undefined
}
