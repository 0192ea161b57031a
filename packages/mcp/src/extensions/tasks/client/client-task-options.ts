import type { RequestOptions } from '../../../client/client-request.ts'
import type { TaskState } from '../../../model/task.ts'
import { McpError } from '../../../wire/errors.ts'
import type { TaskFollowOptions } from './client-task.ts'

/** Options of tasks on a client. */
export interface ClientTaskOptions {
  /** Milliseconds for which the server may be unreachable while a task is waited for. @default 60_000 */
  readonly outageMs?: number
}

/** Options of starting a tool. */
export interface TaskStartOptions extends RequestOptions, TaskFollowOptions {
  /**
   * Time that the server should keep the task, in revisions where the caller can ask for it. @default set by the
   * server
   */
  readonly ttlMs?: number
}

/** Additions of tasks to the options of a call. */
export interface TaskCallOptions {
  /** Called with the state of the call's task whenever it changes. */
  readonly onTask?: (state: TaskState) => void
}

/** The options with their defaults. */
export function clientTaskSettings({ outageMs = 60_000 }: ClientTaskOptions): Required<ClientTaskOptions> {
  if (outageMs >= 0) return { outageMs }
  throw new McpError(
    'Misuse',
    `Cannot use "outageMs" of tasks(): ${JSON.stringify(outageMs)} is not a number of milliseconds`,
  )
}
