import { randomBytes } from 'node:crypto'
import { McpError, RpcError } from '@trunkline/mcp'
import type { ClientTask, TaskState } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { ApiError } from './api-error.ts'
import { entryOf } from './entry-of.ts'
import { knownKey } from './known-key.ts'
import { progressTo } from './progress-to.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'

type TaskAnswer = z.output<typeof s.taskState>

/** Routes of tools that run as tasks of the person at a page: they outlive the page, and any page can ask for them. */
export const taskRoutes = {
  startTask: route({
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/start',
    needs: 'person',
    says: 'Starts a tool as a task for the person at the page; it goes on when the page is closed',
    body: z.strictObject({ run: z.string().max(100), arguments: z.record(z.string(), z.unknown()) }),
    answer: s.taskState,
    async handle({ server, tool, run, arguments: args }, { host, tasks, tell }) {
      const { shown } = entryOf(host, server, 'tool', tool)
      const client = await host.taskClientOf(server, 'console')
      const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
      const task = await client.tools.start(shown, args, {
        onDispose: 'detach',
        meta: { traceparent },
        maxTotalMs: Number.MAX_SAFE_INTEGER,
        onProgress: progressTo(run, tell),
      })
      tasks.follow(server, task)
      return task.id === undefined ? answeredAtOnce(task) : shownTask(task.state)
    },
  }),
  task: route({
    method: 'GET',
    path: '/api/servers/{server}/tasks/{task}',
    needs: 'nothing',
    says: 'How a task of a page stands, with its result once it has one; events tell its changes from then on',
    answer: s.taskState,
    async handle({ server, task: id }, { host, tasks }) {
      const task = await attached(host, server, id)
      tasks.follow(server, task)
      return shownTask(task.state)
    },
  }),
  cancelTask: route({
    method: 'POST',
    path: '/api/servers/{server}/tasks/{task}/cancel',
    needs: 'nothing',
    says: 'Asks for a task of a page to be cancelled',
    answer: s.taskState,
    async handle({ server, task: id }, { host }) {
      const task = await attached(host, server, id)
      await task.cancel()
      const client = await host.taskClientOf(server, 'console')
      return shownTask(await client.tasks.get(id))
    },
  }),
}

async function attached(host: Host, server: string, task: string): Promise<ClientTask> {
  const unknown = () => new ApiError(404, `There is no task "${task}" of server "${server}"`)
  if (host.catalogue.entries(knownKey(host, server)).length === 0) throw unknown()
  const client = await host.taskClientOf(server, 'console')
  return client.tasks.attach(task).catch((error: unknown) => {
    throw error instanceof RpcError ? unknown() : error
  })
}

/** Answer for a call that did not become a task: its result. */
async function answeredAtOnce(task: ClientTask): Promise<TaskAnswer> {
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
}: TaskState): TaskAnswer {
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
