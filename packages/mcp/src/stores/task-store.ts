import type { Fields } from '../wire/messages.ts'

type Later<Value> = Value | Promise<Value>

/** How a task stands; one that has ended stays as it is. */
export type StoredStatus = 'working' | 'completed' | 'failed' | 'cancelled'

/** A task as plain JSON: all that another process needs to go on with it. */
export interface StoredTask {
  readonly id: string
  /** Whom it belongs to, when somebody was authenticated. */
  readonly principal?: string
  /** As in `Date.now()`. */
  readonly createdAt: number
  readonly updatedAt: number
  /** When it may be forgotten; never, when it is null. */
  readonly expiresAt: number | null
  readonly status: StoredStatus
  readonly statusMessage?: string
  /** What is to be done, for whoever runs it; a store does not look into it. */
  readonly work: Fields
  /** What came of it, once it has ended. */
  readonly outcome?: Fields
}

/** What changes of a task while it runs, or as it ends. */
export type TaskUpdate = Pick<StoredTask, 'updatedAt'> &
  Partial<Pick<StoredTask, 'status' | 'statusMessage' | 'outcome'>>

/** What happened in a task and must not be forgotten: questions and their answers, and side effects. */
export interface TaskEntry {
  readonly kind: 'question' | 'answer' | 'effect'
  /** Unique among the entries of its kind. */
  readonly key: string
  readonly value: Fields
}

/** Where to go on in a list of tasks: after the one that was created then and has that id. */
export interface TaskPlace {
  readonly createdAt: number
  readonly id: string
}

/**
 * Keeps tasks. What a method has done is durable when it returns or its promise resolves; a task that has expired is as good as
 * gone, whether it is still there or not. A store that several processes share has to give each unfinished task to one of them.
 */
export interface TaskStore {
  /** Keeps a new task and what happened before it was one, all or nothing, unless its principal has that many already; the id is not in use. */
  create(task: StoredTask, mostOfPrincipal: number, entries?: readonly TaskEntry[]): Later<boolean>
  load(id: string): Later<StoredTask | undefined>
  /** Changes a task that has not ended; says whether there was one. */
  update(id: string, update: TaskUpdate): Later<boolean>
  /**
   * Takes down what happened in a task that has not ended; says whether that was news. Of the questions and of the answers under
   * one key the first one counts, of the effects under one key the last one.
   */
  write(id: string, entry: TaskEntry): Later<boolean>
  /** Everything that was taken down for a task, in the order in which each key was first mentioned. */
  entries(id: string): Later<readonly TaskEntry[]>
  /** The tasks of a principal, or of nobody, from the oldest to the newest. */
  list(principal: string | undefined, most: number, after?: TaskPlace): Later<readonly StoredTask[]>
  /** The tasks that have not ended, from the oldest to the newest. */
  unfinished(most: number, after?: TaskPlace): Later<readonly StoredTask[]>
  /** Forgets a task and all that was taken down for it. */
  drop(id: string): Later<void>
}
