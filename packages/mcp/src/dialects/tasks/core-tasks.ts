import { hasEnded, type TaskState } from '../../model/task.ts'
import { InternalError, InvalidParams, MethodNotFound, RpcError } from '../../wire/errors.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import type { Caller } from '../dialect.ts'
import { encodeResult } from '../encode-result.ts'
import type { Facts } from '../revision-facts.ts'
import { taskQuestions } from './task-questions.ts'
import type { RequestedTask, TaskRules } from './task-rules.ts'

const relatedTask = 'io.modelcontextprotocol/related-task'

/**
 * Tasks as an experiment of the protocol itself: the client asks for one with the call, and fetches its result.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export function coreTasks(facts: Facts): TaskRules {
  return {
    ...taskQuestions(facts),
    wish: ({ params }) => readRequestedTask(params.task as Fields | undefined),
    needsTask: (tool) =>
      new RpcError(MethodNotFound, `Cannot call tool "${tool}": it runs only as a task, so "task" is required`),
    refusesTask: (tool) =>
      new RpcError(MethodNotFound, `Cannot call tool "${tool}" as a task: it does not support tasks`),
    assertKnown() {},
    cancelsEnded: false,
    tells: true,
    created: (state) => ({ task: encodeCoreTask(state) }),
    shown: encodeCoreTask,
    cancelled: encodeCoreTask,
    result: (state) => relatedToTask(state.id, encodeResult('tools/call', answerResult(state), facts)),
    notice: (state) => ['notifications/tasks/status', encodeCoreTask(state)],
    related: relatedToTask,
    asksAsTask,
  }
}

function asksAsTask(method: string, { capabilities }: Caller): boolean {
  const [feature = '', verb = ''] = method.split('/')
  const requests = capabilities.tasks?.requests
  const offered = isObject(requests) && requests[feature]
  return isObject(offered) && isObject(offered[verb])
}

/** The task that a request asks for, if any. */
export function readRequestedTask(task: Fields | undefined): RequestedTask | undefined {
  if (task === undefined) return undefined
  const { ttl } = task as { ttl?: number }
  if (ttl === undefined) return {}
  if (ttl > 0) return { ttlMs: ttl }
  throw new RpcError(InvalidParams, 'Cannot start a task: "task.ttl" must be more than 0 milliseconds', {
    field: 'task.ttl',
  })
}

/** The result of a task; throws its error. */
export function answerResult({ status, result = {}, error }: TaskState): Fields {
  if (error) throw new RpcError(error.code, error.message, error.data)
  if (status === 'cancelled') throw new RpcError(InternalError, 'The task was cancelled')
  return result
}

/** Marks a message as one that belongs to a task. */
export function relatedToTask(id: string, message: Fields): Fields {
  return { ...message, _meta: { ...(message._meta as Fields | undefined), [relatedTask]: { taskId: id } } }
}

/** Encodes the state of a task; a tool result with `isError` counts as failed here. */
export function encodeCoreTask({
  id,
  status,
  statusMessage,
  createdAt,
  updatedAt,
  ttlMs,
  pollMs,
  result,
}: TaskState): Fields {
  const shown = status === 'completed' && result?.isError === true ? 'failed' : status
  return {
    taskId: id,
    status: shown,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    ...(pollMs !== undefined && !hasEnded({ status }) && { pollInterval: pollMs }),
  }
}
