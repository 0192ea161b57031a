import { isJson, toJson } from '../../schema/json-value.ts'
import { InternalError, McpError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { assertAskable } from '../check-input-request.ts'
import { type ClientInput, InputRequired, type OnceOptions } from '../dialect.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import { SideEffects } from '../side-effects.ts'
import { LogDeduplication } from './log-deduplication.ts'
import { Questions } from './questions.ts'
import type { ReplayContext } from './replay-context.ts'
import { blank, givenAnswer, openState, type RequestState, sealState } from './request-state.ts'
import { storedEffect } from './stored-effect.ts'

/**
 * Runs a handler over the answers of earlier rounds. A new question lets the handler go, and the request ends with the
 * questions; when the client comes back with answers the handler runs again from the top.
 */
export class ReplayedInput implements ClientInput {
  readonly #context: ReplayContext
  readonly #journal: RequestState
  // made on first use: most handlers ask nothing
  #questions: Questions | undefined
  #done: Fields | undefined
  #effects: SideEffects | undefined
  #logged: LogDeduplication | undefined
  #running = 0
  #suspend: ((required: Promise<InputRequired>) => void) | undefined

  constructor(context: ReplayContext, journal = blank) {
    this.#context = context
    this.#journal = journal
    if (journal.round > 0) this.#questions = this.#asking()
  }

  async ask(method: string, params: Fields, key?: string): Promise<Fields> {
    const { caller, facts, server } = this.#context
    this.#questions ??= this.#asking()
    assertAskable(method, params, { caller, facts, asked: this.#questions.asked + 1, limits: server.limits })
    const answer = this.#questions.ask({ method, params: encodeInputRequest(method, params, { facts, caller }) }, key)
    if (answer) return answer
    this.#leaveSoon()
    // the answer comes with another request, which runs the handler anew
    return new Promise(() => {})
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    // a side effect is not run again, so what it logs need not be known again
    if (method === 'notifications/message' && this.#running === 0) {
      this.#logged ??= new LogDeduplication(this.#journal.logged ?? [])
      if (!this.#logged.isNew(params)) return undefined
    }
    return this.#context.incoming.notify(method, params, { droppable: true })
  }

  async once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T> {
    this.#done ??= { ...this.#journal.done }
    if (Object.hasOwn(this.#done, key)) return this.#done[key] as T
    this.#effects ??= new SideEffects()
    return this.#effects.once(key, () => this.#recorded(key, () => this.#kept(key, run, options)))
  }

  // the first request has nothing that a second one could be known by
  #kept<T>(key: string, run: () => T | Promise<T>, options: OnceOptions | undefined): T | Promise<T> {
    const { effects: store, limits, report } = this.#context.server
    const { call } = this.#journal
    if (!store || call === undefined) return run()
    const expiresAt = Date.now() + limits.maxInputStateAgeMs
    return storedEffect({ store, effect: { call, key }, expiresAt, report }, run, options)
  }

  async #recorded<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    this.#running += 1
    try {
      const value = await run()
      this.#done = { ...this.#done, [key]: this.#remembered(key, value ?? null) }
      return value
    } finally {
      this.#running -= 1
      this.#leaveSoon()
    }
  }

  /** What the next run gets in place of a value; one that is not the same then is told to the author. */
  #remembered(key: string, value: unknown): unknown {
    if (isJson(value)) return value
    const { server } = this.#context
    const problem = `Cannot remember just what ctx.once("${key}") returned: the next run gets it as JSON carries it`
    server.report(new McpError('Misuse', problem), `ctx.once("${key}")`)
    return toJson(value, () => null)
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields {
    if (!(outcome instanceof Promise)) return this.#complete(outcome)
    return new Promise((resolve, reject) => {
      this.#suspend = resolve
      outcome.then((result) => resolve(this.#complete(result))).catch(reject)
    })
  }

  /** The result of a handler that asked again whatever it had asked before. */
  #complete(result: Fields): Fields {
    if (this.#questions?.forgotten) throw strayed()
    return result
  }

  #asking(): Questions {
    return new Questions(this.#journal, (key, method) => givenAnswer(key, method, this.#context))
  }

  // questions asked at the same time travel together, and a side effect under way is recorded before we leave
  #leaveSoon(): void {
    if (!this.#questions?.open.size) return
    setTimeout(() => {
      if (this.#running === 0 && this.#questions) this.#suspend?.(this.#required(this.#questions))
    })
  }

  async #required(questions: Questions): Promise<InputRequired> {
    const { incoming, server } = this.#context
    if (questions.forgotten) throw strayed()
    const round = this.#journal.round + 1
    if (round > server.limits.maxInputRoundsPerCall) {
      throw new RpcError(
        InternalError,
        `Cannot ask again: one call may ask in ${server.limits.maxInputRoundsPerCall} rounds`,
      )
    }
    incoming.leave(new DOMException('The call waits for input and will be run again', 'AbortError'))
    const { answers, open } = questions
    const { done, logged } = this.#journal
    const call = this.#journal.call ?? (server.effects && crypto.randomUUID())
    const journal: RequestState = {
      round,
      ...(call !== undefined && { call }),
      answers,
      asked: [...open.keys()],
      done: this.#done ?? done,
      logged: this.#logged?.sent ?? logged,
    }
    return new InputRequired(Object.fromEntries(open), await sealState(journal, this.#context))
  }
}

/** Takes up the call where the state that the client brought back says it was. */
export async function resumed(context: ReplayContext): Promise<ReplayedInput> {
  return new ReplayedInput(context, (await openState(context)) as RequestState)
}

function strayed(): RpcError {
  return new RpcError(InternalError, 'Cannot run the call again: its handler asked other questions than the last time')
}
