import type { RequestOptions } from '../../../client/client-request.ts'
import type { TaskState } from '../../../model/task.ts'
import { McpError } from '../../../wire/errors.ts'
import type { TaskFollowOptions } from './client-task.ts'

/** How a client waits for tasks. */
export interface ClientTaskOptions {
  /** Milliseconds for which a server may be out of reach while somebody waits for its task. @default 60_000 */
  readonly outageMs?: number
}

/** How a tool is started. */
export interface TaskStartOptions extends RequestOptions, TaskFollowOptions {
  /** How long the server should keep the task, where the caller has a say in that. @default what the server thinks */
  readonly ttlMs?: number
}

/** What tasks add to the options of a call. */
export interface TaskCallOptions {
  /** Told how the task stands that the call has become, whenever that changes. */
  readonly onTask?: (state: TaskState) => void
}

/** The options with everything that was left out. */
export function clientTaskSettings({ outageMs = 60_000 }: ClientTaskOptions): Required<ClientTaskOptions> {
  if (outageMs >= 0) return { outageMs }
  throw new McpError(
    'Misuse',
    `Cannot use "outageMs" of tasks(): ${JSON.stringify(outageMs)} is no number of milliseconds`,
  )
}
