import type { Caller } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { hasEnded, type TaskQuestion, type TaskState } from '../../../model/task.ts'
import { waitFor } from '../../../rpc/abortable-wait.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { McpError, RpcError, StoreAway } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { answerOf, patience } from './ask-as-task.ts'
import type { QuestionPlace, TaskRuns } from './task-runs.ts'
import type { TaskRequest, TaskService } from './task-service.ts'

/** Serves `tasks/result`: waits for the end of a task, and meanwhile sends its input requests. */
export async function taskResult(
  { id, request, rules }: TaskRequest,
  { runs, settings }: TaskService,
): Promise<Fields> {
  const { caller, incoming } = request
  await runs.state(id, caller)
  for (;;) {
    const listen = (changed: () => void): (() => void) =>
      runs.listen(id, {
        changed,
        gone: changed,
        told: (method, params) => void incoming.notify(method, rules.related(id, params))?.catch(() => {}),
      })
    const news = waitFor(listen, incoming.signal)
    try {
      const state = await runs.state(id, caller)
      if (hasEnded(state)) return rules.result(state)
      const asTask = settings.asksAsTasks ? settings.ttlMs : undefined
      // questions of a task that runs in another process are asked here as well
      if (runs.shared || runs.find(id)) askAll(state, { runs, rules, caller, incoming, asTask })
      await news.promise
    } finally {
      news.stop()
    }
  }
}

interface Asking {
  readonly runs: TaskRuns
  readonly rules: TaskRules
  readonly caller: Caller
  readonly incoming: Incoming
  /** The time to live of the client task for a question, if it shall be one. */
  readonly asTask: number | undefined
}

/** Sends the open questions that are not being asked yet; failed ones are sent with the next `tasks/result`. */
function askAll({ id, questions = {} }: TaskState, asking: Asking): void {
  for (const [key, question] of Object.entries(questions)) {
    const { asking: asked } = asking.runs
    const name = `${id} ${key}`
    if (asked.has(name)) continue
    asked.add(name)
    void ask({ id, key }, question, asking).finally(() => asked.delete(name))
  }
}

async function ask(place: QuestionPlace, { method, params }: TaskQuestion, asking: Asking): Promise<void> {
  const { runs, rules, caller, incoming, asTask } = asking
  try {
    const spelled = rules.related(place.id, rules.encodeQuestion(method, params, caller))
    const task = asTask !== undefined && rules.asksAsTask(method, caller) ? { task: { ttl: asTask } } : {}
    const answer = await answerOf(await incoming.call(method, { ...spelled, ...task }, patience), incoming)
    const problem = rules.problemOf(method, answer)
    if (problem)
      await runs.refuse(place, new McpError('Input', `Cannot use the client's answer to "${method}": ${problem}`))
    else await runs.answer(place, answer)
  } catch (error) {
    // an error response refuses the question; a closed connection does not
    if (!(error instanceof RpcError) || error instanceof StoreAway) return
    const refusal = new McpError('Input', `The client refused "${method}": ${error.message}`, { cause: error })
    await runs.refuse(place, refusal).catch(() => {})
  }
}
