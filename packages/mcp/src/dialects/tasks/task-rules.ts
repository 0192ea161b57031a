import type { TaskState } from '../../model/task.ts'
import type { RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Caller, ServerRequest } from '../dialect.ts'
import type { InputLimits } from '../input-limits.ts'

/** What a caller wants of a task. */
export interface RequestedTask {
  /** How long it should be kept. */
  readonly ttlMs?: number
}

/** What differs between revisions that have tasks, on the side that runs them. */
export interface TaskRules {
  /** The task that the caller of a tool wants, if it wants one. */
  wish(request: Pick<ServerRequest, 'params' | 'caller'>): RequestedTask | undefined
  /** Why a tool that runs as a task only is not called without one. */
  needsTask(tool: string): RpcError
  /** Why a tool that never runs as a task is not called with one, where that is refused. */
  refusesTask(tool: string): RpcError | undefined
  /** Refuses a caller that did not say that it knows about tasks. */
  assertKnown(caller: Caller, method: string): void
  /** Whether a task that has ended can be cancelled, which does nothing. */
  readonly cancelsEnded: boolean
  /** Whether the caller is told things while the task runs, without asking for each. */
  readonly tells: boolean
  /** The answer to a call that became a task. */
  created(state: TaskState): Fields
  /** The answer to whoever asks after a task. */
  shown(state: TaskState, caller: Caller): Fields
  /** The answer to whoever cancelled a task. */
  cancelled(state: TaskState): Fields
  /** The result of a task that has ended, or its error, which is thrown. */
  result(state: TaskState): Fields
  /** The notification of how a task stands. */
  notice(state: TaskState, caller: Caller): readonly [method: string, params: Fields]
  /** Marks what belongs to a task, where that is marked. */
  related(id: string, message: Fields): Fields
  /** Refuses a question that the caller cannot be asked, or one too many. */
  assertAskable(question: TaskAsk, limits: InputLimits): void
  /** Writes a question with what the revision knows. */
  encodeQuestion(method: string, params: Fields, caller: Caller): Fields
  /** Whether a caller can be asked something by a task of its own. */
  asksAsTask(method: string, caller: Caller): boolean
  /** What is wrong with an answer, if anything is. */
  problemOf(method: string, answer: unknown): string | undefined
}

/** A question a task is about to ask, and how many it has asked, that one included. */
export interface TaskAsk {
  readonly method: string
  readonly params: Fields
  readonly caller: Caller
  readonly asked: number
}
