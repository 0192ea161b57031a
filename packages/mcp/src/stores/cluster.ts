import type { EffectStore } from './effect-store.ts'
import type { EventStore, StoredEvent } from './event-store.ts'
import type { Limiter } from './limiter.ts'
import type { SessionStore } from './session-store.ts'
import type { TaskStore } from './task-store.ts'

type Later<Value> = Value | Promise<Value>

/** A process of a cluster, as it is announced to the others. */
export interface ProcessFacts {
  /** Name of this start of the process, new with every start; begins the ids of what it asks. */
  readonly epoch: string
  /** Name of the server; two servers with one prefix or schema are refused. */
  readonly server: string
  /** Ids (never keys) of the sealing keys that it can open, the one that it seals with first. */
  readonly sealingKeys: readonly string[]
}

/** State of a cluster as one beat found it. */
export interface ClusterView {
  /** Time of the store, in milliseconds since 1970. */
  readonly now: number
  /** Processes whose lease has not ended, this one included. */
  readonly live: readonly ProcessFacts[]
  /** Name of the engine's present history; another one means that confirmed entries may be lost, as after a failover. */
  readonly generation: string
}

/** Knows which processes live. */
export interface Presence {
  /** Says that a process lives for so long, and reads which others do; one round trip. */
  beat(self: ProcessFacts, leaseMs: number): Later<ClusterView>
  isLive(epoch: string): Later<boolean>
  /** Says that a process ends, and deletes its inbox. */
  leave(epoch: string): Later<void>
}

/** Entries for one process each, written by the others. */
export interface ProcessInbox {
  /**
   * Appends an entry to the inboxes of processes, one atomic step each, and rings the bells of their epochs. Returns those that
   * got it; a process that is not live, or whose inbox is full, gets nothing.
   */
  post(epochs: readonly string[], entry: string): Later<readonly string[]>
  /**
   * Entries of an inbox after a number, in order, at most 1 000 at once; deletes those up to that number. An inbox whose last
   * number is lower has lost entries, as by a failover: all that it has are returned.
   */
  take(epoch: string, after: number): Later<readonly StoredEvent[]>
}

/** Tells other processes that something was stored. A ring may be lost, so listeners poll as well. */
export interface Bell {
  /** Rings names; more than 100 are rung as one without a name. */
  ring(names: readonly string[]): Later<void>
  /** Listens; a ring without a name means that some may have been missed. The returned function ends it. */
  listen(onRing: (name?: string) => void): Later<() => void>
}

/** Ids of proofs (DPoP) that were used. */
export interface ProofIds {
  /** True the first time that an id is used within so long. */
  use(id: string, forMs: number): Later<boolean>
}

/** Stores that all processes of one server share. */
export interface ClusterStores {
  /** Name of the engine, for errors and metrics. */
  readonly engine: string
  readonly sessions: Required<SessionStore>
  readonly events: Required<EventStore>
  readonly limiter: Limiter
  readonly proofs: ProofIds
  readonly presence: Presence
  readonly inbox: ProcessInbox
  readonly bell: Bell
  /** Missing where an engine may lose what it acknowledged. */
  readonly tasks?: Required<TaskStore>
  readonly effects?: Required<EffectStore>
  close(): Promise<void>
}
