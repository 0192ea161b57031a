import type { Fields, WireError } from '../wire/messages.ts'

/** How a task stands: at work, waiting for the client, or at its end in one of three ways. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A question that a task asks of the client. */
export interface TaskQuestion {
  readonly method: string
  readonly params: Fields
}

/** A task at one moment, in the words of the newest revision: it has failed when there is an error instead of a result. */
export interface TaskState {
  readonly id: string
  readonly status: TaskStatus
  /** What its author says about how it stands. */
  readonly statusMessage?: string
  /** As in `Date.now()`. */
  readonly createdAt: number
  readonly updatedAt: number
  /** How long it is kept, counted from its creation; for ever, when it is null. */
  readonly ttlMs: number | null
  /** How often to ask after it, in the server's opinion. */
  readonly pollMs?: number
  /** What it waits for, by keys that are never used again. */
  readonly questions?: { readonly [key: string]: TaskQuestion }
  /** What the request would have been answered with. */
  readonly result?: Fields
  readonly error?: WireError
}

/** Whether a task will never change again. */
export function hasEnded({ status }: { readonly status: TaskStatus }): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
