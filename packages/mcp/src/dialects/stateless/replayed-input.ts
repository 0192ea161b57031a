import { isJson, toJson } from '../../schema/json-value.ts'
import { InternalError, McpError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { assertAskable } from '../check-input-request.ts'
import { type AskingOptions, type ClientInput, InputRequired, type OnceOptions } from '../dialect.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import { SideEffects } from '../side-effects.ts'
import { LogDeduplication } from './log-deduplication.ts'
import { Questions } from './questions.ts'
import type { ReplayContext } from './replay-context.ts'
import { blank, givenAnswer, openState, type RequestState, sealState } from './request-state.ts'
import { storedEffect } from './stored-effect.ts'

/**
 * Replays a handler over the answers of earlier rounds. A new question ends the request; when the client sends it
 * again with the answers, the handler runs again from its start.
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

  async ask(method: string, params: Fields, { key }: AskingOptions = {}): Promise<Fields> {
    const { caller, facts, server } = this.#context
    this.#questions ??= this.#asking()
    assertAskable(method, params, { caller, facts, asked: this.#questions.asked + 1, limits: server.limits })
    const answer = this.#questions.ask({ method, params: encodeInputRequest(method, params, { facts, caller }) }, key)
    if (answer) return answer
    this.#leaveSoon()
    // the answer comes with the next request, which runs the handler again
    return new Promise(() => {})
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    // a side effect is not repeated, so its log messages need no deduplication
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
    const { effects: store, sharedEffects: shared, limits, report } = this.#context.server
    const { call } = this.#journal
    if (!store || call === undefined) return run()
    const expiresAt = Date.now() + limits.maxInputStateAgeMs
    return storedEffect({ store, shared, effect: { call, key }, expiresAt, report }, run, options)
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

  /** The JSON form of a value, for the next run; reports a value that JSON cannot represent. */
  #remembered(key: string, value: unknown): unknown {
    if (isJson(value)) return value
    const { server } = this.#context
    const problem = `Cannot keep exactly what ctx.once("${key}") returned: the next run gets its JSON form`
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

  /** Checks that the handler repeated all earlier questions. */
  #complete(result: Fields): Fields {
    if (this.#questions?.forgotten) throw strayed()
    return result
  }

  #asking(): Questions {
    return new Questions(this.#journal, (key, method) => givenAnswer(key, method, this.#context))
  }

  // questions of the same turn are sent together, and a running side effect is recorded first
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

/** Resumes a call from the state that the client sent back. */
export async function resumed(context: ReplayContext): Promise<ReplayedInput> {
  return new ReplayedInput(context, (await openState(context)) as RequestState)
}

function strayed(): RpcError {
  return new RpcError(
    InternalError,
    'Cannot run the call again: its handler asked other questions than in the last run',
  )
}
