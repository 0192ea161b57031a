import type {
  AskingOptions,
  ClientInput,
  InputRequired,
  OnceOptions,
  ServerRequest,
} from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'

/** No time limits: users answer when they can, within the limits of the request. */
export const patience = {
  timeoutMs: Number.POSITIVE_INFINITY,
  maxTotalMs: Number.POSITIVE_INFINITY,
  token: false,
} as const

/** The answer to a question, or the result of the task that the client made of it. */
export async function answerOf(first: Fields, incoming: Incoming): Promise<Fields> {
  if (!isObject(first.task) || first.action !== undefined || first.role !== undefined) return first
  const { taskId } = first.task
  return incoming.call('tasks/result', { taskId }, patience)
}

/** Sends input requests as client tasks where the client supports them, so that answers may take long. */
export class TaskAskingInput implements ClientInput {
  readonly #request: ServerRequest
  readonly #rules: TaskRules
  readonly #ttlMs: number

  constructor(request: ServerRequest, rules: TaskRules, ttlMs: number) {
    this.#request = request
    this.#rules = rules
    this.#ttlMs = ttlMs
  }

  async ask(method: string, params: Fields, options?: AskingOptions): Promise<Fields> {
    const { input, caller, incoming } = this.#request
    if (!this.#rules.asksAsTask(method, caller)) return input.ask(method, params, options)
    const first = await input.ask(method, { ...params, task: { ttl: this.#ttlMs } }, options)
    const answer = await answerOf(first, incoming)
    const problem = this.#rules.problemOf(method, answer)
    if (problem) throw new McpError('Input', `Cannot use the client's answer to "${method}": ${problem}`)
    return answer
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    return this.#request.input.tell(method, params)
  }

  once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T> {
    return this.#request.input.once(key, run, options)
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields {
    return this.#request.input.guard(outcome)
  }
}
