import type { ClientAdds, ClientExtension } from '../../client/extension.ts'
import type { ServerExtension } from '../../server/extension.ts'
import { tasksExtension, tasksExtensionId } from '../../wire/vocabularies/tasks-extension.ts'
import type { ClientTaskOptions, TaskCallOptions } from './client/client-task-options.ts'
import { type ClientTasks, type TaskTools, taskClient } from './client/tasks-on-client.ts'
import type { ServerTaskOptions } from './server/server-task-options.ts'
import type { TaskDefinition } from './server/task-definition.ts'
import { type TaskContext, taskServer } from './server/tasks-on-server.ts'

/** Additions of tasks to a server. */
export interface TasksOnServer {
  readonly tool: TaskDefinition
  readonly context: TaskContext
}

/** Additions of tasks to a client. */
export interface TasksOnClient extends ClientAdds {
  readonly tools: TaskTools<this['types']['tools']>
  readonly client: { readonly tasks: ClientTasks }
  readonly options: TaskCallOptions
  // biome-ignore lint/complexity/noBannedTypes: a result is what it is
  readonly result: {}
}

/** Options of tasks, for both sides. */
export interface TaskOptions extends ServerTaskOptions, ClientTaskOptions {}

/** The tasks extension, for both sides. */
export type TasksExtension = ServerExtension<TasksOnServer> & ClientExtension<TasksOnClient>

const { methods, notifications, resultTypes } = tasksExtension
const row = { named: 'taskId', repeatable: true } as const

/** The tasks extension: long-running tools on a server, and handles to them on a client. */
export function tasks(options: TaskOptions = {}): TasksExtension {
  return {
    id: tasksExtensionId,
    methods: Object.fromEntries(Object.entries(methods).map(([method, shapes]) => [method, { ...shapes, ...row }])),
    notifications,
    resultTypes,
    server: (host) => taskServer(host, options),
    client: (start) => taskClient(options, start),
  }
}
