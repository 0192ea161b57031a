import type { AnswerInput } from '../../../dialects/dialect.ts'
import type { TaskState } from '../../../model/task.ts'
import type { CallToolResult } from '../../../model/types.ts'

/** Options of waiting for a task. */
export interface TaskWaitOptions {
  /** Aborts the waiting; the task goes on. */
  readonly signal?: AbortSignal | undefined
}

/** Options of following a task. */
export interface TaskFollowOptions {
  /**
   * Fate of an unfinished task when its handle is disposed. @default 'cancel' when started here, 'detach' when
   * attached to
   */
  readonly onDispose?: 'cancel' | 'detach'
  /** Answers the input requests of the task. @default what the client answers with */
  readonly answer?: AnswerInput
}

/** The handle of a running tool: its state, and its result once it has one. */
export interface ClientTask<Result = CallToolResult> extends AsyncIterable<TaskState>, AsyncDisposable {
  /** The task id, with which any process can attach; undefined where the server gives none. */
  readonly id: string | undefined
  /** The latest known state. */
  readonly state: TaskState
  /** The answer that the call would have had; rejects when the task failed or was cancelled. */
  result(options?: TaskWaitOptions): Promise<Result>
  /** Asks the server to cancel the task; resolves when the server has answered. */
  cancel(): Promise<void>
  /** From now on disposing the handle leaves the task running. */
  detach(): void
}
