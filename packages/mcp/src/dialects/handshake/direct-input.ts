import type { Incoming } from '../../rpc/incoming.ts'
import { McpError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { assertAskable, checkedAnswer } from '../check-input-request.ts'
import type { Caller, ClientInput } from '../dialect.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import type { InputLimits } from '../input-limits.ts'
import type { Facts } from '../revision-facts.ts'
import { SideEffects } from '../side-effects.ts'

/** People take their time: a question may wait as long as the call it belongs to. */
const patience = { timeoutMs: Number.POSITIVE_INFINITY, token: false } as const

interface DirectInputParts {
  readonly facts: Facts
  readonly limits: InputLimits
  /** Whether what the client answers would get here. */
  readonly hasWayBack: boolean
}

const noWayBack =
  'Cannot ask the client: the server keeps no sessions, so an answer has no way back; serve with sessions, or ask clients of 2026-07-28, which need none'

/** Asks the client outright, by a request of our own that belongs to the one being served. */
export class DirectInput implements ClientInput {
  readonly #incoming: Incoming
  readonly #caller: Caller
  readonly #facts: Facts
  readonly #limits: InputLimits
  readonly #hasWayBack: boolean
  // made on first use: most handlers have none to speak of
  #effects: SideEffects | undefined
  #asked = 0

  constructor(incoming: Incoming, caller: Caller, { facts, limits, hasWayBack }: DirectInputParts) {
    this.#incoming = incoming
    this.#caller = caller
    this.#facts = facts
    this.#limits = limits
    this.#hasWayBack = hasWayBack
  }

  async ask(method: string, params: Fields): Promise<Fields> {
    if (!this.#hasWayBack) throw new McpError('Misuse', noWayBack)
    assertAskable(method, params, {
      caller: this.#caller,
      facts: this.#facts,
      asked: ++this.#asked,
      limits: this.#limits,
    })
    const answer = await this.#incoming
      .call(method, encodeInputRequest(method, params, { facts: this.#facts, caller: this.#caller }), patience)
      .catch((error: unknown) => Promise.reject(refused(method, error)))
    return checkedAnswer(method, answer, this.#facts)
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    const fields = this.#facts.vocabulary.server.notifications.get(method)?.fields
    if (!fields) return this.#incoming.notify(method, params, { droppable: true })
    const known = Object.entries(params).filter(([name]) => fields.has(name))
    return this.#incoming.notify(method, Object.fromEntries(known), { droppable: true })
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    this.#effects ??= new SideEffects()
    return this.#effects.once(key, run)
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields> | Fields {
    return outcome
  }
}

// the client's refusal is about its question, not about the request being served: its code must not become ours
function refused(method: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error
  return new McpError('Input', `The client refused "${method}": ${error.message}`, { cause: error })
}
