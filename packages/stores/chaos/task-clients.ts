/** Clients whose calls run as tasks. */
import {
  type Answer,
  answerOf,
  type Caller,
  type ClientOptions,
  type Message,
  refusedBy,
  repeat,
  wait,
} from './requests.ts'
import { type Asked, send } from './stateless-requests.ts'

/** Milliseconds after which a request about a task is sent again, perhaps to another process. */
const silenceMs = 3_000

/** Starts task after task, answers its question and fetches its outcome, until it is told to end. */
export async function runTasks(options: ClientOptions): Promise<void> {
  await repeat(options, async (call, caller) => {
    const params = { name: 'build', arguments: { call } }
    const response = await send(caller, { id: call, method: 'tools/call', params })
    if (response.status !== 200) return refusedBy(response)
    const started = (await response.json()) as TaskMessage
    const taskId = started.result?.taskId
    if (taskId === undefined) return answerOf(started)
    options.write({ what: 'task', call })
    for (let number = 1; ; number++) {
      const answer = await look(caller, `${call}.${number}`, taskId)
      if (answer) return answer
      caller.signal.throwIfAborted()
      await wait(100)
    }
  })
}

/** The outcome of a task; undefined if it has none yet, or the request failed. A question is answered. */
async function look(caller: Caller, id: string, taskId: string): Promise<Answer | undefined> {
  const message = await ask(caller, { id, method: 'tasks/get', params: { taskId } })
  if (!message) return undefined
  const { result } = message
  // it was confirmed, so that it has to be there
  if (!result) return { kind: 'unknown', reason: JSON.stringify(message).slice(0, 200) }
  if (result.status === 'completed') return answerOf(result)
  if (result.status === 'failed' || result.status === 'cancelled')
    return { kind: 'error', reason: JSON.stringify(result.error ?? result.status).slice(0, 200) }
  const [question] = Object.keys(result.inputRequests ?? {})
  if (question === undefined) return undefined
  const inputResponses = { [question]: { action: 'accept', content: { sure: true } } }
  await ask(caller, { id: `${id}.answer`, method: 'tasks/update', params: { taskId, inputResponses } })
  return undefined
}

/** The answer to a request about a task; undefined if none came, so that it is sent again. */
async function ask(caller: Caller, asked: Asked): Promise<TaskMessage | undefined> {
  try {
    const response = await send(caller, asked, silenceMs)
    const message = (await response.json()) as TaskMessage
    // a process that does not answer for the store says nothing of the task
    return response.status === 503 ? undefined : message
  } catch {
    return undefined
  }
}

/** An answer about a task, as far as it is read here. */
interface TaskMessage {
  readonly result?: Message['result'] & {
    readonly taskId?: string
    readonly status?: string
    readonly error?: object
    readonly result?: object
  }
}
