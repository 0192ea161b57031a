import { randomId } from '@trunkline/base/random-id'
import { McpError } from '../wire/errors.ts'
import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type { Bell, ClusterStores, ClusterView, Presence, ProcessFacts, ProcessInbox, ProofIds } from './cluster.ts'
import type { StoredEvent } from './event-store.ts'
import { MemoryEffectStore } from './memory-effect-store.ts'
import { MemoryEventStore } from './memory-event-store.ts'
import { MemoryLimiter } from './memory-limiter.ts'
import { MemorySessionStore } from './memory-session-store.ts'
import { MemoryTaskStore } from './memory-task-store.ts'

/** Limits of what the processes of a cluster tell each other. */
export interface ClusterLimits {
  /** Processes that live at the same time. @default 1_000 */
  readonly maxProcesses: number
  /** Entries of one inbox. @default 10_000 */
  readonly maxEntriesPerInbox: number
  /** Characters of one inbox. @default 67_108_864 */
  readonly maxCharsPerInbox: number
  /** Ids of proofs that are remembered. @default 100_000 */
  readonly maxProofs: number
}

/** The default limits of a cluster in memory. */
export const clusterLimits = {
  maxProcesses: 1_000,
  maxEntriesPerInbox: 10_000,
  maxCharsPerInbox: 67_108_864,
  maxProofs: 100_000,
} as const satisfies ClusterLimits

/** Names of one ring; more are rung as one without a name. */
const mostNames = 100
/** Entries that are taken from an inbox at once. */
const mostTaken = 1_000

/** Stores that several servers of one process share, as processes share an engine: for tests, and to try a cluster. */
export function memoryCluster({ limits }: { readonly limits?: Partial<ClusterLimits> } = {}): ClusterStores {
  const resolved = resolveKnownLimits(clusterLimits, limits)
  const bell = new MemoryBell()
  const processes = new MemoryProcesses(resolved, bell)
  return {
    engine: 'memory',
    sessions: new MemorySessionStore(),
    events: new MemoryEventStore(),
    limiter: new MemoryLimiter(),
    proofs: new MemoryProofIds(resolved.maxProofs),
    presence: processes,
    inbox: processes,
    bell,
    tasks: new MemoryTaskStore(),
    effects: new MemoryEffectStore(),
    async close() {},
  }
}

interface LiveProcess {
  readonly facts: ProcessFacts
  leaseUntil: number
  readonly entries: StoredEvent[]
  chars: number
  /** Number of the last entry. */
  last: number
}

/** Processes that live, each with its inbox. */
class MemoryProcesses implements Presence, ProcessInbox {
  readonly #limits: ClusterLimits
  readonly #bell: Bell
  readonly #generation = randomId(12)
  readonly #live = new Map<string, LiveProcess>()

  constructor(limits: ClusterLimits, bell: Bell) {
    this.#limits = limits
    this.#bell = bell
  }

  beat(self: ProcessFacts, leaseMs: number): ClusterView {
    const now = Date.now()
    for (const [epoch, { leaseUntil }] of this.#live) if (leaseUntil <= now) this.#live.delete(epoch)
    const known = this.#live.get(self.epoch)
    if (!known && this.#live.size >= this.#limits.maxProcesses)
      throw new McpError('TooMany', `Cannot join the cluster: ${this.#limits.maxProcesses} processes live`)
    const inbox = known ?? { entries: [], chars: 0, last: 0 }
    this.#live.set(self.epoch, { ...inbox, facts: self, leaseUntil: now + leaseMs })
    return { now, live: [...this.#live.values()].map(({ facts }) => facts), generation: this.#generation }
  }

  isLive(epoch: string): boolean {
    return (this.#live.get(epoch)?.leaseUntil ?? 0) > Date.now()
  }

  leave(epoch: string): void {
    this.#live.delete(epoch)
  }

  post(epochs: readonly string[], entry: string): readonly string[] {
    const got = epochs.filter((epoch) => this.isLive(epoch) && this.#append(epoch, entry))
    this.#bell.ring(got)
    return got
  }

  take(epoch: string, after: number): readonly StoredEvent[] {
    const inbox = this.#live.get(epoch)
    if (!inbox) return []
    if (after > inbox.last) return inbox.entries.slice(0, mostTaken)
    while (inbox.entries[0] && inbox.entries[0].number <= after) inbox.chars -= inbox.entries.shift()?.data.length ?? 0
    return inbox.entries.slice(0, mostTaken)
  }

  #append(epoch: string, data: string): boolean {
    const inbox = this.#live.get(epoch)
    if (!inbox || inbox.entries.length >= this.#limits.maxEntriesPerInbox) return false
    if (inbox.chars + data.length > this.#limits.maxCharsPerInbox) return false
    inbox.last += 1
    inbox.chars += data.length
    inbox.entries.push({ number: inbox.last, data })
    return true
  }
}

/** Rings in one process; listeners hear it after the one that rang has gone on. */
class MemoryBell implements Bell {
  readonly #listeners = new Set<(name?: string) => void>()

  ring(names: readonly string[]): void {
    if (names.length === 0) return
    const rung = names.length > mostNames ? [undefined] : names
    queueMicrotask(() => {
      for (const listener of this.#listeners) for (const name of rung) listener(name)
    })
  }

  listen(onRing: (name?: string) => void): () => void {
    // the same function may listen twice
    const listener = (name?: string): void => onRing(name)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Ids of proofs, each until its time is over. */
class MemoryProofIds implements ProofIds {
  readonly #most: number
  readonly #usedUntil = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  use(id: string, forMs: number): boolean {
    const now = Date.now()
    if ((this.#usedUntil.get(id) ?? 0) > now) return false
    if (this.#usedUntil.size >= this.#most) this.#forgetPast(now)
    // one that could not be remembered could be used again
    if (this.#usedUntil.size >= this.#most)
      throw new McpError('Busy', `Cannot use a proof: ${this.#most} are remembered`)
    this.#usedUntil.set(id, now + forMs)
    return true
  }

  #forgetPast(now: number): void {
    for (const [id, until] of this.#usedUntil) if (until <= now) this.#usedUntil.delete(id)
  }
}
