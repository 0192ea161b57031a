import { hasEnded, type TaskState } from '../../model/task.ts'
import { InternalError, InvalidParams, MethodNotFound, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Facts } from '../facts.ts'
import { spellResult } from '../spell-result.ts'
import { taskQuestions } from './questions.ts'
import type { TaskRules, TaskWish } from './task-rules.ts'

const relatedTask = 'io.modelcontextprotocol/related-task'

/**
 * Tasks as an experiment of the protocol itself: the client asks for one with the call, and fetches its result.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export function coreTasks(facts: Facts): TaskRules {
  return {
    ...taskQuestions(facts),
    wish: ({ params }) => readWish(params.task as Fields | undefined),
    needsTask: (tool) =>
      new RpcError(MethodNotFound, `Cannot call tool "${tool}": it runs as a task only, so "task" has to be there`),
    refusesTask: (tool) => new RpcError(MethodNotFound, `Cannot call tool "${tool}" as a task: it never runs as one`),
    assertKnown() {},
    cancelsEnded: false,
    tells: true,
    created: (state) => ({ task: spell(state) }),
    shown: spell,
    cancelled: spell,
    result: (state) => related(state.id, resultOf(state, facts)),
    notice: (state) => ['notifications/tasks/status', spell(state)],
    related,
  }
}

function readWish(task: Fields | undefined): TaskWish | undefined {
  if (task === undefined) return undefined
  const { ttl } = task as { ttl?: number }
  if (ttl === undefined) return {}
  if (ttl > 0) return { ttlMs: ttl }
  throw new RpcError(InvalidParams, 'Cannot start a task: "task.ttl" must be more than 0 milliseconds', {
    field: 'task.ttl',
  })
}

function resultOf({ status, result, error }: TaskState, facts: Facts): Fields {
  if (error) throw new RpcError(error.code, error.message, error.data)
  if (status === 'cancelled') throw new RpcError(InternalError, 'The task was cancelled')
  return spellResult('tools/call', result ?? {}, facts)
}

function related(id: string, message: Fields): Fields {
  return { ...message, _meta: { ...(message._meta as Fields | undefined), [relatedTask]: { taskId: id } } }
}

/** A tool that answers that it failed has failed here. */
function spell({ id, status, statusMessage, createdAt, updatedAt, ttlMs, pollMs, result }: TaskState): Fields {
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
