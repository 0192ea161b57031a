import type { ServerExtension } from '../../server/extension.ts'
import { tasksExtension, tasksExtensionId } from '../../wire/vocabularies/tasks-extension.ts'
import type { ServerTaskOptions } from './server/options.ts'
import { type TaskContext, taskServer } from './server/part.ts'
import type { TaskDefinition } from './server/support.ts'

/** What tasks add to a server. */
export interface TasksOnServer {
  readonly tool: TaskDefinition
  readonly context: TaskContext
}

export interface TaskOptions extends ServerTaskOptions {}

const { methods, notifications, resultTypes } = tasksExtension
const row = { named: 'taskId', repeatable: true } as const

/** Work that goes on after its call was answered: long-running tools on a server, and the handles to them on a client. */
export function tasks(options: TaskOptions = {}): ServerExtension<TasksOnServer> {
  return {
    id: tasksExtensionId,
    methods: Object.fromEntries(Object.entries(methods).map(([method, shapes]) => [method, { ...shapes, ...row }])),
    notifications,
    resultTypes,
    server: (host) => taskServer(host, options),
  }
}
