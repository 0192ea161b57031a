import { hasEnded } from '../../../model/task.ts'
import { waitFor } from '../../../rpc/abortable-wait.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { answerOf, patience } from './ask-as-task.ts'
import type { TaskRun } from './task-run.ts'
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
        told: (method, params) => void incoming.notify(method, rules.related(id, params))?.catch(() => {}),
      })
    const news = waitFor(listen, incoming.signal)
    try {
      const state = await runs.state(id, caller)
      if (hasEnded(state)) return rules.result(state)
      const run = runs.find(id)
      if (run) askAll(run, incoming, settings.asksAsTasks ? settings.ttlMs : undefined)
      await news.promise
    } finally {
      news.stop()
    }
  }
}

/** Sends the open questions that are not being asked yet; failed ones are sent with the next `tasks/result`. */
function askAll(run: TaskRun, incoming: Incoming, asTask: number | undefined): void {
  for (const [key, { question }] of run.journal.open) {
    if (run.asking.has(key)) continue
    run.asking.add(key)
    void ask(run, incoming, { key, ...question, asTask }).finally(() => run.asking.delete(key))
  }
}

interface TaskAsking {
  readonly key: string
  readonly method: string
  readonly params: Fields
  /** The time to live of the client task for the question, if it shall be one. */
  readonly asTask: number | undefined
}

async function ask({ journal, rules, caller, id }: TaskRun, incoming: Incoming, asking: TaskAsking): Promise<void> {
  const { key, method, params, asTask } = asking
  try {
    const spelled = rules.related(id, rules.encodeQuestion(method, params, caller))
    const task = asTask !== undefined && rules.asksAsTask(method, caller) ? { task: { ttl: asTask } } : {}
    const answer = await answerOf(await incoming.call(method, { ...spelled, ...task }, patience), incoming)
    const problem = rules.problemOf(method, answer)
    if (problem) journal.refuse(key, new McpError('Input', `Cannot use the client's answer to "${method}": ${problem}`))
    else await journal.answer(key, answer)
  } catch (error) {
    // an error response refuses the question; a closed connection does not
    if (error instanceof RpcError)
      journal.refuse(key, new McpError('Input', `The client refused "${method}": ${error.message}`, { cause: error }))
  }
}
