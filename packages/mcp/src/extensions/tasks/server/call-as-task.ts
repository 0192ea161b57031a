import type { ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import { InputRequired } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { taskRulesOf } from '../../../dialects/tasks/task-rules-by-revision.ts'
import type { ServerHost } from '../../../server/extension.ts'
import type { Fields } from '../../../wire/messages.ts'
import { tasksExtensionId } from '../../../wire/vocabularies/tasks-extension.ts'
import { TaskAskingInput } from './ask-as-task.ts'
import { TaskCall, type TaskCallParts, taskCallOf } from './task-call.ts'
import type { TaskSupport } from './task-definition.ts'

/** Runs a call as a task when its tool supports it and its caller asks for it. */
export function callAsTask(next: ServerHandler, host: ServerHost, parts: TaskCallParts): ServerHandler {
  return (request) => {
    const { method, params, caller } = request
    if (method !== 'tools/call' || taskCallOf(request)) return next(request)
    const rules = taskRulesOf(caller)
    const tool = host.tool(params.name as string, caller)
    // a revision without tasks runs the tool to its end
    if (!rules || !tool) return next(request)
    const support = tool.keep as TaskSupport | undefined
    const wish = rules.wish(request)
    if (wish && support) return started(next, request, new TaskCall(parts, { support, rules, wish }))
    if (wish) {
      const refusal = rules.refusesTask(params.name as string)
      if (refusal) throw refusal
    } else if (support?.task === 'required') throw rules.needsTask(params.name as string)
    return next(asking(request, rules, parts))
  }
}

function asking(request: ServerRequest, rules: TaskRules, { settings }: TaskCallParts): ServerRequest {
  if (!settings.asksAsTasks) return request
  return { ...request, input: new TaskAskingInput(request, rules, settings.ttlMs) }
}

/** Answers with the task as soon as there is one, or with the result if the call ends before. */
function started(next: ServerHandler, request: ServerRequest, call: TaskCall): Promise<Fields | InputRequired> {
  return new Promise((resolve, reject) => {
    call.onCreated((run) => resolve(run.rules.created(run.state)))
    follow(run(next, { ...request, added: { ...request.added, [tasksExtensionId]: call } }), call, { resolve, reject })
  })
}

interface Plain {
  resolve(result: Fields | InputRequired): void
  reject(error: unknown): void
}

/** Ends the task with the outcome of the call; without a task the outcome is the answer. */
export function follow(outcome: Promise<Fields | InputRequired>, call: TaskCall, plain?: Plain): void {
  outcome.then(
    (result) => {
      if (call.run && !(result instanceof InputRequired)) void call.run.complete(result)
      else plain?.resolve(result)
    },
    (error) => {
      if (call.run) void call.run.fail(error)
      else plain?.reject(error)
    },
  )
}

/** Runs a request; errors become rejections. */
export async function run(next: ServerHandler, request: ServerRequest): Promise<Fields | InputRequired> {
  return next(request)
}
