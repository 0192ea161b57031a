import { hasEnded, type TaskState } from '../../model/task.ts'
import { MissingClientCapability, RpcError } from '../../wire/errors.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import { tasksExtensionId } from '../../wire/vocabularies/tasks-extension.ts'
import type { Caller } from '../dialect.ts'
import type { Facts } from '../revision-facts.ts'
import { taskQuestions } from './task-questions.ts'
import type { TaskRules } from './task-rules.ts'

/**
 * Tasks as an extension: the server decides, the client says with each request that it can take one.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function extensionTasks(facts: Facts): TaskRules {
  const questions = taskQuestions(facts)
  const shown = (state: TaskState, caller: Caller): Fields => ({
    ...encode(state),
    ...(state.status === 'input_required' && { inputRequests: inputRequests(state, caller) }),
    ...(state.status === 'completed' && { result: state.result }),
    ...(state.status === 'failed' && { error: state.error }),
  })
  const inputRequests = ({ questions: open = {} }: TaskState, caller: Caller): Fields =>
    Object.fromEntries(
      Object.entries(open).map(([key, { method, params }]) => [
        key,
        { method, params: questions.encodeQuestion(method, params, caller) },
      ]),
    )
  return {
    ...questions,
    wish: ({ caller }) => (isDeclared(caller) ? {} : undefined),
    needsTask: (tool) => missing(`Cannot call tool "${tool}": it runs only as a task`),
    // the "task" parameter of another revision has no meaning here
    refusesTask: () => undefined,
    assertKnown(caller, method) {
      if (!isDeclared(caller)) throw missing(`Cannot serve "${method}"`)
    },
    cancelsEnded: true,
    tells: false,
    created: (state) => ({ resultType: 'task', ...encode(state) }),
    shown,
    cancelled: () => ({}),
    result: ({ result = {} }) => result,
    notice: (state, caller) => ['notifications/tasks', shown(state, caller)],
    related: (_id, message) => message,
    // a client of this revision has no tasks of its own
    asksAsTask: () => false,
  }
}

function isDeclared({ capabilities }: Caller): boolean {
  return isObject(capabilities.extensions?.[tasksExtensionId])
}

function missing(problem: string): RpcError {
  return new RpcError(MissingClientCapability, `${problem}: the client did not declare "${tasksExtensionId}"`, {
    requiredCapabilities: { extensions: { [tasksExtensionId]: {} } },
  })
}

function encode({ id, status, statusMessage, createdAt, updatedAt, ttlMs, pollMs, ...state }: TaskState): Fields {
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    ...(pollMs !== undefined && !hasEnded({ ...state, status }) && { pollIntervalMs: pollMs }),
  }
}
