import type { Caller, ServerRequest } from '../../../dialects/dialect.ts'
import type { StoredTask } from '../../../stores/task-store.ts'
import type { Fields } from '../../../wire/messages.ts'

/** What a task does and for whom, as plain JSON: another process can take it up from that. */
export interface TaskWork {
  readonly params: Fields
  readonly caller: Omit<Caller, 'claims'>
  readonly pollMs: number
}

/** The work of a call; the part of its params that was about the way of the call is left out. */
export function workOf({ params, caller }: Pick<ServerRequest, 'params' | 'caller'>, pollMs: number): TaskWork {
  const { task, inputResponses, requestState, ...rest } = params
  // what a token says beyond who somebody is may be secret, and is not kept
  const { claims, ...known } = caller
  return { params: rest, caller: known, pollMs }
}

/** The work of a task that was kept. */
export function storedWork({ work, principal }: StoredTask): TaskWork {
  const { caller, ...rest } = work as unknown as TaskWork
  return { ...rest, caller: { ...caller, principal } }
}
