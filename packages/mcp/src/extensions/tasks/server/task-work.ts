import type { Caller, ServerRequest } from '../../../dialects/dialect.ts'
import type { StoredTask } from '../../../stores/task-store.ts'
import type { Fields } from '../../../wire/messages.ts'

/** The work of a task and its caller, as JSON, so that another process can resume it. */
export interface TaskWork {
  readonly params: Fields
  readonly caller: Omit<Caller, 'claims'>
  readonly pollMs: number
}

/** The work of a call, without the members that belong to the original request. */
export function workOf({ params, caller }: Pick<ServerRequest, 'params' | 'caller'>, pollMs: number): TaskWork {
  const { task, inputResponses, requestState, ...rest } = params
  // the claims of a token may be secret, and are not stored
  const { claims, ...known } = caller
  return { params: rest, caller: known, pollMs }
}

/** The work of a stored task. */
export function storedWork({ work, principal }: StoredTask): TaskWork {
  const { caller, ...rest } = work as unknown as TaskWork
  return { ...rest, caller: { ...caller, principal } }
}
