/** The tasks extension: long-running tools. */

export type { ClientTask, TaskFollowOptions, TaskWaitOptions } from './extensions/tasks/client/client-task.ts'
export type {
  ClientTaskOptions,
  TaskCallOptions,
  TaskStartOptions,
} from './extensions/tasks/client/client-task-options.ts'
export type { ClientTasks, TaskTools } from './extensions/tasks/client/tasks-on-client.ts'
export type { ServerTaskOptions, TaskLimits } from './extensions/tasks/server/server-task-options.ts'
export type { TaskDefinition } from './extensions/tasks/server/task-definition.ts'
export type { TaskContext } from './extensions/tasks/server/tasks-on-server.ts'
export {
  type TaskOptions,
  type TasksExtension,
  type TasksOnClient,
  type TasksOnServer,
  tasks,
} from './extensions/tasks/tasks.ts'
export type { TaskQuestion, TaskState, TaskStatus } from './model/task.ts'
export { MemoryTaskStore, type TaskStoreLimits } from './stores/memory-task-store.ts'
export type {
  OwnedTask,
  StoredStatus,
  StoredTask,
  TaskEntry,
  TaskLease,
  TaskOwner,
  TaskPlace,
  TaskStore,
  TaskUpdate,
} from './stores/task-store.ts'
