import type { ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import type { ServerHost, ServerPart } from '../../../server/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import { callAsTask } from './call-as-task.ts'
import { DetachableInput } from './detachable-input.ts'
import { mayList } from './list-tasks.ts'
import { listenToTasks } from './listen-to-tasks.ts'
import { claim, resume } from './resume-tasks.ts'
import { serveTasks } from './serve-tasks.ts'
import { type ServerTaskOptions, taskSettings } from './server-task-options.ts'
import { SharedTasks } from './shared-tasks.ts'
import { taskCallOf } from './task-call.ts'
import { taskFields, taskSupport } from './task-definition.ts'
import { TaskRuns } from './task-runs.ts'

/** Additions of tasks to the context of a handler. */
export interface TaskContext {
  /** The id of the task, if the handler runs as one. */
  readonly taskId: string | undefined
  /** Sets the status message of the task; does nothing outside of a task. */
  status(message: string): void
  /**
   * Turns the call into a task, where the tool has `asksFirst` and the caller supports tasks; the rest of the handler
   * runs in the task. Elsewhere it does nothing.
   */
  detach(): Promise<void>
}

/** The server side of the tasks extension. */
export function taskServer(host: ServerHost, options: ServerTaskOptions): ServerPart {
  const settings = taskSettings(options)
  const runs = new TaskRuns(settings, host.report)
  const parts = { runs, settings, limits: host.limits }
  const service = { runs, settings, host }
  let inner: ServerHandler | undefined
  return {
    capabilities: (sender) => ({
      tasks: { ...(mayList(sender) && { list: {} }), cancel: {}, requests: { tools: { call: {} } } },
    }),
    fields: taskFields,
    tool: taskSupport,
    serve: serveTasks(service),
    intercept(next) {
      inner = next
      return callAsTask(next, host, parts)
    },
    runs: (request) => taskCallOf(request) !== undefined,
    run: (next) => (call) => {
      const task = taskCallOf(call.request)
      return task ? task.begin(call, next) : next(call)
    },
    context,
    listen: (filter, asking) => listenToTasks(filter, asking, service),
    join(member) {
      if (options.store)
        throw new McpError(
          'Misuse',
          'Cannot serve in a cluster: "store" of tasks() is given too; tasks are in the stores of the cluster',
        )
      const shared = new SharedTasks(member, () => runs.running)
      settings.store = shared.store
      runs.share(shared)
    },
    start() {
      const next = inner
      if (!next) return
      if (runs.shared) runs.shared.claimWith(() => claim(next, host, parts))
      else resume(next, host, parts).catch((error) => host.report(error, 'Resuming tasks'))
    },
    async close() {
      if (runs.shared) await runs.shared.leave()
      else runs.leave()
    },
  }
}

const context: { readonly [Member in keyof TaskContext]: (request: ServerRequest) => TaskContext[Member] } = {
  taskId: (request) => taskCallOf(request)?.run?.id,
  status: (request) => (message) => taskCallOf(request)?.run?.status(message),
  detach: (request) => async () => {
    if (request.input instanceof DetachableInput) await request.input.detach()
  },
}
