import type { InputRequired, ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import { failedTool } from '../../../dialects/failed-tool.ts'
import type { EffectName, EffectStore } from '../../../stores/effect-store.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { digest } from '../../../wire/sealed.ts'
import { badTerm, type RetryHint, withResultTerms } from '../terms.ts'
import type { CallState } from './call-state.ts'

type Outcome = Fields | InputRequired

interface Recorded {
  readonly arguments: string
  readonly result: Fields
}

interface Running {
  readonly arguments: Promise<string>
  readonly outcome: Promise<Outcome>
}

/** The key under which everything about one call is recorded: another principal's key is another key. */
export function callName({ caller }: ServerRequest, { tool, terms }: CallState): string {
  return JSON.stringify(['contract', caller.principal ?? null, tool, terms.idempotencyKey])
}

/** Makes calls with the same key one call: the second gets the outcome of the first, also after a restart. */
export class Idempotency {
  readonly #store: EffectStore
  readonly #maxAgeMs: number
  readonly #running = new Map<string, Running>()

  constructor(store: EffectStore, maxAgeMs: number) {
    this.#store = store
    this.#maxAgeMs = maxAgeMs
  }

  /** Runs a call unless its key is known. */
  async run(request: ServerRequest, state: CallState, next: ServerHandler): Promise<Outcome> {
    // a dry run is no outcome
    if (state.terms.idempotencyKey === undefined || state.terms.dryRun) return next(request)
    const call = callName(request, state)
    // digests end in any order: a call is the first with its key before its own is there
    const given = digest(request.params.arguments ?? {})
    const running = this.#running.get(call)
    // a request that brings answers carries its own call on
    if (running && request.params.requestState === undefined) {
      // it will have no turn of its own
      state.arrival?.settle()
      return repeated(...(await Promise.all([running.arguments, given, running.outcome])))
    }
    const outcome = this.#first({ call, key: 'outcome' }, given, { request, state, next })
    this.#running.set(call, { arguments: given, outcome })
    try {
      return await outcome
    } finally {
      if (this.#running.get(call)?.outcome === outcome) this.#running.delete(call)
    }
  }

  async #first(name: EffectName, digested: Promise<string>, { request, state, next }: FirstCall): Promise<Outcome> {
    const given = await digested
    const known = await this.#store.begin(name, Date.now() + this.#maxAgeMs)
    if (known?.state === 'done') {
      const { arguments: recorded, result } = known.value as Recorded
      return repeated(recorded, given, result)
    }
    if (known && state.toolTerms.idempotent !== true && state.toolTerms.idempotent !== 'by steps')
      return unknownOutcome(state)
    return this.#run(name, given, { request, state, next })
  }

  async #run(name: EffectName, given: string, { request, state, next }: FirstCall): Promise<Outcome> {
    let outcome: Outcome
    try {
      outcome = await next(request)
    } catch (error) {
      // refused before the handler ran
      await this.#store.undone(name)
      throw error
    }
    // a call that waits for input has no outcome yet, and one that may be repeated is to be run then
    if (isResult(outcome) && !mayRepeat(state.told.retry))
      await this.#store.done(name, { arguments: given, result: outcome } satisfies Recorded)
    else await this.#store.undone(name)
    return outcome
  }
}

interface FirstCall {
  readonly request: ServerRequest
  readonly state: CallState
  readonly next: ServerHandler
}

function mayRepeat(hint: RetryHint | undefined): boolean {
  return hint?.class === 'transient' || hint?.class === 'rateLimited'
}

function isResult(outcome: Outcome): outcome is Fields {
  return isObject(outcome) && 'content' in outcome
}

function repeated(recorded: string, given: string, outcome: Outcome): Outcome {
  if (recorded !== given)
    throw badTerm('idempotencyKey', 'was used for a call with other arguments: make a new key', {
      reason: 'key-reused',
    })
  return isResult(outcome) ? withResultTerms(outcome, { isRepeated: true }) : outcome
}

function unknownOutcome({ tool }: CallState): Fields {
  const text = `It is not known whether the earlier call of "${tool}" with this key took effect: the process that ran it ended, or another one still runs it. Look before you call again with another key`
  return withResultTerms(failedTool(text), { status: { code: 1, class: 'unknown' }, retry: { class: 'permanent' } })
}
