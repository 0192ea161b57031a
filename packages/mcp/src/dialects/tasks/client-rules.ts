import type { TaskState, TaskStatus } from '../../model/task.ts'
import type { ServerCapabilities } from '../../model/types.ts'
import { type Fields, isObject, type WireError } from '../../wire/messages.ts'
import { tasksExtensionId } from '../../wire/vocabularies/tasks-extension.ts'
import { facts20251125 } from '../2025-11-25.ts'
import { facts20260728 } from '../2026-07-28.ts'
import type { ClientQuestion, Dialect } from '../dialect.ts'

/** Rules by which a client uses tasks in a revision. */
export interface TaskClientRules {
  /** True if the server runs tools as tasks. */
  isOffered(capabilities: ServerCapabilities): boolean
  /** The params of a call that asks for a task. */
  asking(params: Fields, ttlMs: number | undefined): Fields
  /** True if the server decides which calls become tasks, so that any may. */
  readonly serverDecides: boolean
  /** The task that a call became, if it became one. */
  created(result: Fields): TaskState | undefined
  /** The state in the result of `tasks/get`. */
  shown(result: Fields): TaskState
  /** The state in a notification, if it contains one. */
  noticed(method: string, params: Fields): TaskState | undefined
  /** The listen filter for tasks, in revisions that have one. */
  readonly filter?: (ids: readonly string[]) => Fields
  /**
   * True if the result is fetched with `tasks/result`, during which the server sends the input requests of the task.
   */
  readonly fetchesResult: boolean
  /** True if clients have tasks of their own. */
  readonly answersByTasks: boolean
}

const extension: TaskClientRules = {
  isOffered: ({ extensions }) => isObject(extensions?.[tasksExtensionId]),
  asking: (params) => params,
  serverDecides: true,
  created: (result) => (result.resultType === 'task' ? readExtension(result) : undefined),
  shown: readExtension,
  noticed: (method, params) => (method === 'notifications/tasks' ? readExtension(params) : undefined),
  filter: (taskIds) => ({ taskIds }),
  fetchesResult: false,
  answersByTasks: false,
}

const core: TaskClientRules = {
  isOffered: ({ tasks }) =>
    isObject(tasks?.requests) && isObject(tasks.requests.tools) && isObject(tasks.requests.tools.call),
  asking: (params, ttlMs) => ({ ...params, task: ttlMs === undefined ? {} : { ttl: ttlMs } }),
  serverDecides: false,
  created: (result) => (isObject(result.task) && result.content === undefined ? readCore(result.task) : undefined),
  shown: readCore,
  noticed: (method, params) => (method === 'notifications/tasks/status' ? readCore(params) : undefined),
  fetchesResult: true,
  answersByTasks: true,
}

const rules: ReadonlyMap<string, TaskClientRules> = new Map([
  [facts20260728.vocabulary.revision, extension],
  [facts20251125.vocabulary.revision, core],
])

/** The rules of a revision; one without tasks has none. */
export function taskClientRulesOf({ revision }: Dialect): TaskClientRules | undefined {
  return rules.get(revision)
}

function readExtension(task: Fields): TaskState {
  const { ttlMs, pollIntervalMs, inputRequests, result, error } = task
  return {
    ...readTask(task),
    ttlMs: ttlMs as number | null,
    ...(pollIntervalMs !== undefined && { pollMs: pollIntervalMs as number }),
    ...(isObject(inputRequests) && { questions: readQuestions(inputRequests) }),
    ...(isObject(result) && { result }),
    ...(isObject(error) && { error: error as unknown as WireError }),
  }
}

function readQuestions(inputRequests: Fields): { readonly [key: string]: ClientQuestion } {
  const questions = Object.entries(inputRequests as { readonly [key: string]: { method: string; params?: Fields } })
  return Object.fromEntries(questions.map(([key, { method, params = {} }]) => [key, { method, params }]))
}

function readCore(task: Fields): TaskState {
  const { ttl, pollInterval } = task
  return {
    ...readTask(task),
    ttlMs: ttl as number | null,
    ...(pollInterval !== undefined && { pollMs: pollInterval as number }),
  }
}

function readTask({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: Fields) {
  return {
    id: taskId as string,
    status: status as TaskStatus,
    ...(statusMessage !== undefined && { statusMessage: statusMessage as string }),
    createdAt: Date.parse(createdAt as string),
    updatedAt: Date.parse(lastUpdatedAt as string),
  }
}
