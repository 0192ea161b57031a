import type { Fields, WireError } from '../wire/messages.ts'

/** The status of a task. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A question that a task asks of the client. */
export interface TaskQuestion {
  readonly method: string
  readonly params: Fields
}

/** The state of a task, in the form of the newest revision. */
export interface TaskState {
  readonly id: string
  readonly status: TaskStatus
  /** The status message of its author. */
  readonly statusMessage?: string
  /** Time as in `Date.now()`. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Time it is kept after its creation; null for ever. */
  readonly ttlMs: number | null
  /** The polling interval that the server suggests. */
  readonly pollMs?: number
  /** The open questions, by key. */
  readonly questions?: { readonly [key: string]: TaskQuestion }
  /** The result of the request. */
  readonly result?: Fields
  readonly error?: WireError
}

/** True if a task will never change again. */
export function hasEnded({ status }: { readonly status: TaskStatus }): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
