import {
  anyObject,
  array,
  either,
  extend,
  integer,
  literal,
  number,
  object,
  oneOfWords,
  optional,
  record,
  type Shape,
  string,
  tagged,
} from '../shape.ts'
import { vocabulary20260728 } from './2026-07-28.ts'

/** The name of the extension among the capabilities. */
export const tasksExtensionId = 'io.modelcontextprotocol/tasks'

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const

const task = object({
  taskId: string,
  status: oneOfWords(...statuses),
  statusMessage: optional(string),
  createdAt: string,
  lastUpdatedAt: string,
  ttlMs: either(integer, literal(null)),
  pollIntervalMs: optional(integer),
})

const error = object({ code: number, message: string })

/** A task with what belongs to its status. */
const detailedTask = tagged('status', {
  working: task,
  input_required: extend(task, { inputRequests: inputRequests() }),
  completed: extend(task, { result: anyObject }),
  failed: extend(task, { error }),
  cancelled: task,
})

const named = object({ taskId: string })

/**
 * What the tasks extension may put on the wire.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export const tasksExtension = {
  methods: {
    'tasks/get': { params: named, result: detailedTask },
    // an answer is looked at when it is known which question it answers; others are ignored
    'tasks/update': { params: extend(named, { inputResponses: record(anyObject) }), result: anyObject },
    'tasks/cancel': { params: named, result: anyObject },
  },
  notifications: { 'notifications/tasks': detailedTask },
  resultTypes: { task: extend(task, { resultType: literal('task') }) },
  filter: object({ taskIds: optional(array(string)) }),
} as const

// the vocabulary is built when it is first asked for something, so nothing is asked of it here yet
function inputRequests(): Shape {
  return { check: (value) => vocabulary20260728.types.InputRequests?.check(value) }
}
