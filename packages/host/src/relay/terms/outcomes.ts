import { type Fields, TrunklineError } from '@trunkline/mcp'
import type { Act } from '../../act/act.ts'
import type { Store } from '../../store/store.ts'
import { hashOf } from '../../text/json-hash.ts'
import { contractParts, type GivenTerms } from './given-terms.ts'
import { KnownOutcomes, type OutcomeLimits } from './known-outcomes.ts'

interface Running {
  readonly arguments: string
  readonly outcome: Promise<Fields>
}

/** A call with a key, on its way. */
export interface KeyedCall {
  readonly act: Act
  readonly given: GivenTerms
  /** True if its server or a person says that a repeat does no harm. */
  isRepeatable(): boolean
  run(): Promise<Fields>
}

/** Makes calls of one principal with the same key one call: the later ones get the outcome of the first, even after a restart. */
export class Outcomes {
  readonly known: KnownOutcomes
  readonly #running = new Map<string, Running>()

  constructor(store: Store, limits?: OutcomeLimits) {
    this.known = new KnownOutcomes(store, limits)
  }

  async run(call: KeyedCall): Promise<Fields> {
    const { act, given } = call
    const { principal, target } = act
    const key = hashOf([principal.id, act.serverKey, target, given.terms.idempotencyKey])
    const args = hashOf(act.arguments)
    const running = this.#running.get(key)
    if (running) return repeated(running.arguments, args, await running.outcome)
    const outcome = this.#first(key, args, call)
    this.#running.set(key, { arguments: args, outcome })
    try {
      return await outcome
    } finally {
      this.#running.delete(key)
    }
  }

  async #first(key: string, args: string, call: KeyedCall): Promise<Fields> {
    const known = this.known.find(key)
    if (known?.result) return repeated(known.arguments, args, known.result)
    if (known && known.arguments !== args) return repeated(known.arguments, args, {})
    if (known && !call.isRepeatable()) return unknownOutcome(call.act)
    await this.known.begin(key, call.act.principal.id, args)
    return this.#run(key, call)
  }

  async #run(key: string, { run, given }: KeyedCall): Promise<Fields> {
    let result: Fields
    try {
      result = await run()
    } catch (error) {
      // a call that left and was not answered stays begun: its effect is not known
      if (!given.isSent || (error instanceof TrunklineError && error.outcome !== 'Unknown'))
        await this.known.remove(key)
      throw error
    }
    const { resultTermsOf } = await contractParts()
    const { retry, status } = resultTermsOf(result) ?? {}
    const mayRepeat = retry?.class === 'transient' || retry?.class === 'rateLimited'
    if (mayRepeat || !given.isSent) await this.known.remove(key)
    else if (status?.class !== 'unknown') await this.known.done(key, result)
    return result
  }
}

async function repeated(recorded: string, given: string, result: Fields): Promise<Fields> {
  const { badTerm, withResultTerms } = await contractParts()
  if (recorded !== given)
    throw badTerm('idempotencyKey', 'was used for a call with other arguments: make a new key', {
      reason: 'key-reused',
    })
  return withResultTerms(result, { isRepeated: true })
}

async function unknownOutcome({ target }: Act): Promise<Fields> {
  const { withResultTerms } = await contractParts()
  const text = `It is not known whether the earlier call of "${target}" with this key took effect: it was not answered. Look before you call again with another key`
  const result = { content: [{ type: 'text', text }], isError: true }
  return withResultTerms(result, { status: { code: 1, class: 'unknown' }, retry: { class: 'permanent' } })
}
