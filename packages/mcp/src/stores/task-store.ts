import type { Fields } from '../wire/messages.ts'

type Later<Value> = Value | Promise<Value>

/** The status of a stored task; an ended one never changes. */
export type StoredStatus = 'working' | 'completed' | 'failed' | 'cancelled'

/** A stored task, as JSON; contains all that another process needs to resume it. */
export interface StoredTask {
  readonly id: string
  /** The principal of the task, if it was authenticated. */
  readonly principal?: string
  /** Time as in `Date.now()`. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Time of expiry; null for never. */
  readonly expiresAt: number | null
  readonly status: StoredStatus
  readonly statusMessage?: string
  /** The work of the task; opaque to the store. */
  readonly work: Fields
  /** Its outcome, once it has ended. */
  readonly outcome?: Fields
}

/** A change of a task. */
export type TaskUpdate = Pick<StoredTask, 'updatedAt'> &
  Partial<Pick<StoredTask, 'status' | 'statusMessage' | 'outcome'>>

/** A question, an answer or a side effect of a task. */
export interface TaskEntry {
  readonly kind: 'question' | 'answer' | 'effect'
  /** Unique among the entries of its kind. */
  readonly key: string
  readonly value: Fields
}

/** A position in a list of tasks: after the task with this creation time and id. */
export interface TaskPlace {
  readonly createdAt: number
  readonly id: string
}

/** A process that takes a task, and for how long. */
export interface TaskOwner {
  /** Name of the process, which no other process has or will have. */
  readonly owner: string
  /** Milliseconds until another process may take the task, unless the lease is renewed. */
  readonly leaseMs: number
}

/** A task that was taken. */
export interface TaskLease {
  /** Number that grows whenever the task is taken; writes of an earlier owner are refused by it. */
  readonly fence: number
  /** Number that grows with every update and entry. */
  readonly version: number
}

/** Conditions and contents of a task that its creator owns from the start. */
export interface OwnedTask extends TaskOwner {
  readonly mostOfPrincipal: number
  readonly entries?: readonly TaskEntry[]
}

/**
 * Stores tasks. A change is durable when the method returns or its promise resolves; an expired task counts as
 * deleted. A store that several processes share must give each unfinished task to one of them, for which
 * the optional members are; a store that has one of them has all. Its own time decides when a lease ends.
 */
export interface TaskStore {
  /** Keeps a new task and what happened before it was one, all or nothing, unless its principal has that many already; the id is not in use. */
  create(task: StoredTask, mostOfPrincipal: number, entries?: readonly TaskEntry[]): Later<boolean>
  load(id: string): Later<StoredTask | undefined>
  /** Changes an unfinished task; returns whether there was one. With a fence only its owner does. */
  update(id: string, update: TaskUpdate, fence?: number): Later<boolean>
  /**
   * Stores an entry of an unfinished task; returns whether it was new. The first question and answer of a key count,
   * and the last effect. With a fence only the owner of the task does.
   */
  write(id: string, entry: TaskEntry, fence?: number): Later<boolean>
  /** All entries of a task, in the order in which their keys first appeared. */
  entries(id: string): Later<readonly TaskEntry[]>
  /** The tasks of a principal, or of unauthenticated callers, oldest first. */
  list(principal: string | undefined, most: number, after?: TaskPlace): Later<readonly StoredTask[]>
  /** The unfinished tasks, oldest first. */
  unfinished(most: number, after?: TaskPlace): Later<readonly StoredTask[]>
  /** Deletes a task and its entries. */
  drop(id: string): Later<void>
  /** Keeps a new task as {@link create} does, and takes it in the same step; undefined if the principal has too many. */
  createOwned?(task: StoredTask, owned: OwnedTask): Later<TaskLease | undefined>
  /** Takes an unfinished task, unless another process has it; who has it already gets the same fence and a new lease. */
  claim?(id: string, owner: TaskOwner): Later<TaskLease | undefined>
  /** Lengthens a lease that has not ended; returns the version of the task, undefined if the lease is lost. */
  renew?(id: string, fence: number, leaseMs: number): Later<number | undefined>
  /** Gives a task back, so that another process can take it at once; returns whether there was something to give back. */
  release?(id: string, fence: number): Later<boolean>
  /** The unfinished tasks that no process has, oldest first. */
  unowned?(most: number, after?: TaskPlace): Later<readonly StoredTask[]>
}
