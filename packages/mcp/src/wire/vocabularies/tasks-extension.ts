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

/** The id of the extension. */
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

/** The messages of the tasks extension. @see https://modelcontextprotocol.io/seps/2663-tasks-extension */
export const tasksExtension = {
  methods: {
    'tasks/get': { params: named, result: detailedTask },
    // answers are checked when their question is known; others are ignored
    'tasks/update': { params: extend(named, { inputResponses: record(anyObject) }), result: anyObject },
    'tasks/cancel': { params: named, result: anyObject },
  },
  notifications: { 'notifications/tasks': detailedTask },
  resultTypes: { task: extend(task, { resultType: literal('task') }) },
  filter: object({ taskIds: optional(array(string)) }),
} as const

// built on first use
function inputRequests(): Shape {
  return { check: (value) => vocabulary20260728.types.InputRequests?.check(value) }
}
