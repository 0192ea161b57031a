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

/** Makes a task of a call when its tool can be one and its caller wants one; all other calls go their way. */
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

/** Answers with the task as soon as there is one; what comes before that is the answer of an ordinary call. */
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

/** Lets what a call comes to be the end of its task, or the plain answer when it never became one. */
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

/** Runs a request so that it never throws at once. */
export async function run(next: ServerHandler, request: ServerRequest): Promise<Fields | InputRequired> {
  return next(request)
}
