import {
  anyObject,
  array,
  either,
  extend,
  integer,
  literal,
  membersOf,
  object,
  oneOfWords,
  optional,
  type Shape,
  type ShapeMembers,
  string,
} from '../shape.ts'
import { core } from './2025-11-25-core.ts'
import { type Exchanges, feature, type Types, vocabularyOf, withFeature } from './definition.ts'

/** Tasks in the core, which only this revision has. */
const tasks = feature({
  uses: [
    'RequestParams',
    'PaginatedRequestParams',
    'NotificationParams',
    'Result',
    'PaginatedResult',
    'ClientCapabilities',
    'ServerCapabilities',
    'Tool',
    'CallToolRequestParams',
    'CallToolResult',
    'CreateMessageRequestParams',
    'CreateMessageResult',
    'ElicitRequestParams',
    'ElicitRequestFormParams',
    'ElicitRequestURLParams',
    'ElicitResult',
  ],
  added: {
    TaskMetadata: () => object({ ttl: optional(integer) }),
    TaskStatus: () => oneOfWords('working', 'input_required', 'completed', 'failed', 'cancelled'),
    Task: (t) =>
      object({
        taskId: string,
        status: t.TaskStatus,
        statusMessage: optional(string),
        createdAt: string,
        lastUpdatedAt: string,
        ttl: either(integer, literal(null)),
        pollInterval: optional(integer),
      }),
    TaskRequestParams: (t) => extend(t.RequestParams, { taskId: string }),
    CreateTaskResult: (t) => extend(t.Result, { task: t.Task }),
    GetTaskResult: (t) => extend(t.Result, membersOf(t.Task)),
    ListTasksResult: (t) => extend(t.PaginatedResult, { tasks: array(t.Task) }),
    TaskStatusNotificationParams: (t) => extend(t.NotificationParams, membersOf(t.Task)),
    ToolExecution: () => object({ taskSupport: optional(oneOfWords('forbidden', 'optional', 'required')) }),
  },
  changed: {
    ClientCapabilities: (was) => {
      const sampling = optional(object({ createMessage: optional(anyObject) }))
      const elicitation = optional(object({ create: optional(anyObject) }))
      return extend(was, { tasks: capability({ sampling, elicitation }) })
    },
    ServerCapabilities: (was) => {
      const tools = optional(object({ call: optional(anyObject) }))
      return extend(was, { tasks: capability({ tools }) })
    },
    Tool: (was, t) => extend(was, { execution: optional(t.ToolExecution) }),
    CallToolRequestParams: (was, t) => extend(was, { task: optional(t.TaskMetadata) }),
    CreateMessageRequestParams: (was, t) => extend(was, { task: optional(t.TaskMetadata) }),
    ElicitRequestFormParams: (was, t) => extend(was, { task: optional(t.TaskMetadata) }),
    ElicitRequestURLParams: (was, t) => extend(was, { task: optional(t.TaskMetadata) }),
  },
  client: (t) => ({
    requests: {
      'tools/call': { params: t.CallToolRequestParams, result: either(t.CallToolResult, t.CreateTaskResult) },
      ...taskRequests(t),
    },
    notifications: { 'notifications/tasks/status': t.TaskStatusNotificationParams },
  }),
  server: (t) => ({
    requests: taskRequests(t),
    notifications: { 'notifications/tasks/status': t.TaskStatusNotificationParams },
  }),
  inputs: (t) => ({
    'sampling/createMessage': {
      params: t.CreateMessageRequestParams,
      result: either(t.CreateMessageResult, t.CreateTaskResult),
    },
    'elicitation/create': { params: t.ElicitRequestParams, result: either(t.ElicitResult, t.CreateTaskResult) },
  }),
})

/** The vocabulary of 2025-11-25. */
export const vocabulary20251125 = vocabularyOf(withFeature(core, tasks))

/** The task requests, which both sides have. */
function taskRequests(
  t: Types<'TaskRequestParams' | 'PaginatedRequestParams' | 'Result' | 'GetTaskResult' | 'ListTasksResult'>,
): Exchanges {
  return {
    'tasks/get': { params: t.TaskRequestParams, result: t.GetTaskResult },
    'tasks/result': { params: t.TaskRequestParams, result: t.Result },
    'tasks/cancel': { params: t.TaskRequestParams, result: t.GetTaskResult },
    'tasks/list': { params: optional(t.PaginatedRequestParams), result: t.ListTasksResult },
  }
}

function capability(requests: ShapeMembers): Shape {
  return optional(
    object({ list: optional(anyObject), cancel: optional(anyObject), requests: optional(object(requests)) }),
  )
}
