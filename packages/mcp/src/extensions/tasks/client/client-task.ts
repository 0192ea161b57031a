import type { AnswerInput } from '../../../dialects/dialect.ts'
import type { TaskState } from '../../../model/task.ts'
import type { CallToolResult } from '../../../model/types.ts'

/** How long somebody waits for a task. */
export interface TaskWaitOptions {
  /** Aborting ends the waiting, and nothing else. */
  readonly signal?: AbortSignal | undefined
}

/** What to do with a task that is being followed. */
export interface TaskFollowOptions {
  /** What becomes of a task that has not ended when its handle is disposed of. @default 'cancel' when started here, 'detach' when attached to */
  readonly onDispose?: 'cancel' | 'detach'
  /** Answers what the task asks. @default what the client answers with */
  readonly answer?: AnswerInput
}

/** A tool at work, possibly elsewhere and for long: what is known of it, and its result when it has one. */
export interface ClientTask<Result = CallToolResult> extends AsyncIterable<TaskState>, AsyncDisposable {
  /** By which it can be attached to, from any process; missing where the server gives no handle, so that it lives here only. */
  readonly id: string | undefined
  /** How it stood when it was last heard of. */
  readonly state: TaskState
  /** What the call would have been answered with; rejects when the task failed or was cancelled. */
  result(options?: TaskWaitOptions): Promise<Result>
  /** Asks the server to end it; resolves when the server has heard. */
  cancel(): Promise<void>
  /** Lets go of it: from now on disposing of the handle leaves the task alone. */
  detach(): void
}
