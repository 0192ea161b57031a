import type { TaskState } from '../../model/task.ts'
import type { RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Caller, ServerRequest } from '../dialect.ts'
import type { InputLimits } from '../input-limits.ts'

/** The task that a caller asked for. */
export interface RequestedTask {
  /** Time it should be kept. */
  readonly ttlMs?: number
}

/** Rules by which a server runs tasks in a revision. */
export interface TaskRules {
  /** The task that a call asks for, if any. */
  wish(request: Pick<ServerRequest, 'params' | 'caller'>): RequestedTask | undefined
  /** The error when a tool that runs only as a task is called without one. */
  needsTask(tool: string): RpcError
  /** The error when a tool that never runs as a task is called with one, if the revision has it. */
  refusesTask(tool: string): RpcError | undefined
  /** Refuses a caller that did not declare tasks. */
  assertKnown(caller: Caller, method: string): void
  /** True if a task that has ended can be cancelled, which does nothing. */
  readonly cancelsEnded: boolean
  /** True if the caller gets notifications while the task runs. */
  readonly tells: boolean
  /** The result of a call that became a task. */
  created(state: TaskState): Fields
  /** The result of `tasks/get`. */
  shown(state: TaskState, caller: Caller): Fields
  /** The result of `tasks/cancel`. */
  cancelled(state: TaskState): Fields
  /** The result of a task that has ended, or its error, which is thrown. */
  result(state: TaskState): Fields
  /** The notification of a task's state. */
  notice(state: TaskState, caller: Caller): readonly [method: string, params: Fields]
  /** Marks a message as belonging to a task, if the revision does. */
  related(id: string, message: Fields): Fields
  /** Refuses a question that the caller cannot be asked, or one too many. */
  assertAskable(question: TaskAsk, limits: InputLimits): void
  /** Encodes a question for the revision. */
  encodeQuestion(method: string, params: Fields, caller: Caller): Fields
  /** True if a caller answers this method with a task of its own. */
  asksAsTask(method: string, caller: Caller): boolean
  /** Finds the fault in an answer; undefined if there is none. */
  problemOf(method: string, answer: unknown): string | undefined
}

/** A question of a task, and the number of its questions so far. */
export interface TaskAsk {
  readonly method: string
  readonly params: Fields
  readonly caller: Caller
  readonly asked: number
}
