import type { ServerHandler } from '../../../dialects/dialect.ts'
import { InvalidParams, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { listTasks } from './list-tasks.ts'
import { taskResult } from './task-result.ts'
import { type TaskRequest, type TaskService, taskRequest } from './task-service.ts'

/** Serves the task methods of all revisions. */
export function serveTasks(service: TaskService): { readonly [method: string]: ServerHandler } {
  const serve =
    (handler: (asking: TaskRequest, service: TaskService) => Promise<Fields>): ServerHandler =>
    (request) =>
      handler(taskRequest(request), service)
  return {
    'tasks/get': serve(get),
    'tasks/update': serve(update),
    'tasks/cancel': serve(cancel),
    'tasks/result': serve(taskResult),
    'tasks/list': (request) => listTasks(request, service),
  }
}

async function get({ id, request: { caller }, rules }: TaskRequest, { runs }: TaskService): Promise<Fields> {
  return rules.shown(await runs.state(id, caller), caller)
}

/** Serves `tasks/update`: answers open questions, and ignores others. */
async function update({ id, request, rules }: TaskRequest, { runs }: TaskService): Promise<Fields> {
  const { questions = {} } = await runs.state(id, request.caller)
  const answers = Object.entries(request.params.inputResponses as { readonly [key: string]: Fields })
  const expected = answers.filter(([key]) => Object.hasOwn(questions, key))
  for (const [key, answer] of expected) {
    const problem = rules.problemOf(questions[key]?.method ?? '', answer)
    const field = `inputResponses.${key}`
    if (problem) throw new RpcError(InvalidParams, `Cannot use "${field}": ${problem}`, { field })
  }
  for (const [key, value] of expected) await runs.answer({ id, key }, value)
  return {}
}

async function cancel({ id, request, rules }: TaskRequest, { runs }: TaskService): Promise<Fields> {
  await runs.state(id, request.caller)
  const isCancelled = await runs.cancel(id)
  const state = await runs.state(id, request.caller)
  if (isCancelled || rules.cancelsEnded) return rules.cancelled(state)
  throw new RpcError(InvalidParams, `Cannot cancel task "${id}": it has ended as ${state.status}`, { field: 'taskId' })
}
