import { randomBytes } from 'node:crypto'
import { McpError, RpcError } from '@trunkline/mcp'
import type { ClientTask, TaskState } from '@trunkline/mcp/tasks'
import { ApiError } from './api-error.ts'
import { entryOf } from './entry-of.ts'
import type { HostEvent } from './events.ts'
import type { Handlers } from './handlers.ts'
import { knownKey } from './known-key.ts'
import type { ApiParts } from './parts.ts'
import { progressTo } from './progress-to.ts'
import type { RouteAnswer } from './routes.ts'

/** Tasks whose changes are told at a time; of one more the page hears when it asks. */
const usualMaxFollowed = 100

/** Tools that run as tasks of the person at a page: they outlive the page, and any page can ask for them. */
export function taskHandlers(
  parts: ApiParts,
  tell: (event: HostEvent) => void,
  maxFollowed = usualMaxFollowed,
): Pick<Handlers, 'startTask' | 'task' | 'cancelTask'> {
  const followed = new Set<string>()
  const follow = (server: string, task: ClientTask): void => {
    const { id } = task
    if (id === undefined || followed.has(id) || followed.size >= maxFollowed) return
    followed.add(id)
    void tellAll(task, ({ status, statusMessage: message }) =>
      tell({ event: 'task', server, task: id, status, ...(message !== undefined && { message }) }),
    ).finally(() => followed.delete(id))
  }
  const attached = async (server: string, task: string): Promise<ClientTask> => {
    const unknown = () => new ApiError(404, `There is no task "${task}" of server "${server}"`)
    if (parts.catalogue.entries(knownKey(parts, server)).length === 0) throw unknown()
    const client = await parts.taskClientOf(server)
    return client.tasks.attach(task).catch((error: unknown) => {
      throw error instanceof RpcError ? unknown() : error
    })
  }
  return {
    async startTask({ server, tool, run, arguments: args }) {
      const { shown } = entryOf(parts, server, 'tool', tool)
      const client = await parts.taskClientOf(server)
      const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
      const task = await client.tools.start(shown, args, {
        onDispose: 'detach',
        meta: { traceparent },
        maxTotalMs: Number.MAX_SAFE_INTEGER,
        onProgress: progressTo(run, tell),
      })
      follow(server, task)
      return task.id === undefined ? answeredAtOnce(task) : shownTask(task.state)
    },
    async task({ server, task: id }) {
      const task = await attached(server, id)
      follow(server, task)
      return shownTask(task.state)
    },
    async cancelTask({ server, task: id }) {
      const task = await attached(server, id)
      await task.cancel()
      const client = await parts.taskClientOf(server)
      return shownTask(await client.tasks.get(id))
    },
  }
}

async function tellAll(task: ClientTask, tell: (state: TaskState) => void): Promise<void> {
  try {
    for await (const state of task) tell(state)
  } catch {
    // the server is gone; a request for the task reports it
  }
}

/** Answer for a call that did not become a task: its result. */
async function answeredAtOnce(task: ClientTask): Promise<RouteAnswer<'task'>> {
  const now = Date.now()
  const times = { createdAt: now, updatedAt: now, keptForMs: 0 }
  try {
    return { status: 'completed', result: { ...(await task.result()) }, ...times }
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof McpError)) throw error
    const { message } = error
    return {
      status: 'failed',
      error: error instanceof RpcError ? { message, code: error.code } : { message },
      ...times,
    }
  }
}

function shownTask({
  id,
  status,
  statusMessage: message,
  createdAt,
  updatedAt,
  ttlMs,
  result,
  error,
}: TaskState): RouteAnswer<'task'> {
  return {
    task: id,
    status,
    createdAt,
    updatedAt,
    keptForMs: ttlMs,
    ...(message !== undefined && { message }),
    ...(result && { result }),
    ...(error && { error }),
  }
}
