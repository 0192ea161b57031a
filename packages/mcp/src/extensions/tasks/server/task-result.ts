import { hasEnded } from '../../../model/task.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskRun } from './task-run.ts'
import type { TaskRequest, TaskService } from './task-service.ts'

/** People take their time: a question may wait as long as the request it travels with. */
const patience = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY, token: false } as const

/** Serves `tasks/result`: waits for the end of a task, and meanwhile asks what the task asks. */
export async function taskResult({ id, request, rules }: TaskRequest, { runs }: TaskService): Promise<Fields> {
  const { caller, incoming } = request
  await runs.state(id, caller)
  for (;;) {
    const news = nextChange(incoming, (changed) =>
      runs.listen(id, {
        changed,
        told: (method, params) => void incoming.notify(method, rules.related(id, params))?.catch(() => {}),
      }),
    )
    try {
      const state = await runs.state(id, caller)
      if (hasEnded(state)) return rules.result(state)
      const run = runs.find(id)
      if (run) askAll(run, incoming)
      await news.promise
    } finally {
      news.stop()
    }
  }
}

/** Resolves at the next change, or rejects when nobody waits any more. */
function nextChange({ signal }: Incoming, listen: (changed: () => void) => () => void) {
  let stop = (): void => {}
  const promise = new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    const unlisten = listen(() => resolve())
    signal.addEventListener('abort', onAbort)
    stop = () => {
      unlisten()
      signal.removeEventListener('abort', onAbort)
    }
  })
  promise.catch(() => {})
  return { promise, stop: () => stop() }
}

/** Asks what nobody is asking yet; what cannot be asked now is asked with the next request for the result. */
function askAll(run: TaskRun, incoming: Incoming): void {
  for (const [key, { question }] of run.journal.open) {
    if (run.asking.has(key)) continue
    run.asking.add(key)
    void ask(run, incoming, { key, ...question }).finally(() => run.asking.delete(key))
  }
}

interface Asking {
  readonly key: string
  readonly method: string
  readonly params: Fields
}

async function ask({ journal, rules, caller, id }: TaskRun, incoming: Incoming, asking: Asking): Promise<void> {
  const { key, method, params } = asking
  try {
    const spelled = rules.related(id, rules.spellQuestion(method, params, caller))
    const answer = await incoming.call(method, spelled, patience)
    const problem = rules.problemOf(method, answer)
    if (problem) journal.refuse(key, new McpError('Input', `Cannot use the client's answer to "${method}": ${problem}`))
    else await journal.answer(key, answer)
  } catch (error) {
    // the client's refusal is about its question; a connection that is gone says nothing about it
    if (error instanceof RpcError)
      journal.refuse(key, new McpError('Input', `The client refused "${method}": ${error.message}`, { cause: error }))
  }
}
