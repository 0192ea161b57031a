import type { ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import { taskRulesOf } from '../../../dialects/tasks/by-revision.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { InvalidParams, MethodNotFound, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskSettings } from './options.ts'
import type { TaskRuns } from './task-runs.ts'

interface Asking {
  readonly id: string
  readonly request: ServerRequest
  readonly rules: TaskRules
}

export interface TaskService {
  readonly runs: TaskRuns
  readonly settings: TaskSettings
}

/** Serves what callers ask about their tasks, whichever revision they speak. */
export function serveTasks(service: TaskService): { readonly [method: string]: ServerHandler } {
  const serve =
    (handler: (asking: Asking, service: TaskService) => Promise<Fields>): ServerHandler =>
    (request) =>
      handler(asked(request), service)
  return { 'tasks/get': serve(get), 'tasks/update': serve(update), 'tasks/cancel': serve(cancel) }
}

/** What is asked and in which words. */
export function asked(request: ServerRequest): Asking {
  return { id: request.params.taskId as string, request, rules: knownRules(request) }
}

/** The rules for a caller; one that does not know of tasks is refused. */
export function knownRules({ method, caller }: Pick<ServerRequest, 'method' | 'caller'>): TaskRules {
  const rules = taskRulesOf(caller)
  if (!rules) throw new RpcError(MethodNotFound, `Cannot serve "${method}": this revision has no tasks`)
  rules.assertKnown(caller, method)
  return rules
}

async function get({ id, request: { caller }, rules }: Asking, { runs }: TaskService): Promise<Fields> {
  return rules.shown(await runs.state(id, caller), caller)
}

/** Answers questions; those that nobody asked, and those that were answered before, are passed over. */
async function update({ id, request, rules }: Asking, { runs, settings }: TaskService): Promise<Fields> {
  const { questions = {} } = await runs.state(id, request.caller)
  const answers = Object.entries(request.params.inputResponses as { readonly [key: string]: Fields })
  const expected = answers.filter(([key]) => Object.hasOwn(questions, key))
  for (const [key, answer] of expected) {
    const problem = rules.problemOf(questions[key]?.method ?? '', answer)
    const field = `inputResponses.${key}`
    if (problem) throw new RpcError(InvalidParams, `Cannot use "${field}": ${problem}`, { field })
  }
  for (const [key, value] of expected) {
    const run = runs.find(id)
    // a task that waits to be taken up again finds the answer in the store
    await (run ? run.journal.answer(key, value) : settings.store.write(id, { kind: 'answer', key, value }))
  }
  return {}
}

async function cancel({ id, request: { caller }, rules }: Asking, { runs, settings }: TaskService): Promise<Fields> {
  await runs.state(id, caller)
  const run = runs.find(id)
  const isCancelled = run
    ? await run.cancel()
    : await settings.store.update(id, { status: 'cancelled', updatedAt: Date.now() })
  const state = await runs.state(id, caller)
  if (isCancelled || rules.cancelsEnded) return rules.cancelled(state)
  throw new RpcError(InvalidParams, `Cannot cancel task "${id}": it has ended as ${state.status}`, { field: 'taskId' })
}
