import type { Incoming } from '../../rpc/incoming.ts'
import { McpError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { assertAskable, checkedAnswer } from '../check-input-request.ts'
import type { AskingOptions, Caller, ClientInput } from '../dialect.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import type { InputLimits } from '../input-limits.ts'
import type { Facts } from '../revision-facts.ts'
import { SideEffects } from '../side-effects.ts'

/** No time limits: users answer when they can, within the limits of the call. */
const patience = { timeoutMs: Number.POSITIVE_INFINITY, token: false } as const

interface DirectInputParts {
  readonly facts: Facts
  readonly limits: InputLimits
  /** True if the client's answer can reach this server. */
  readonly hasWayBack: boolean
}

const noWayBack =
  'Cannot ask the client: the server has no sessions, so the client cannot answer; serve with sessions, or use revision 2026-07-28, which needs none'

/** Sends input requests to the client directly, related to the request being served. */
export class DirectInput implements ClientInput {
  readonly #incoming: Incoming
  readonly #caller: Caller
  readonly #facts: Facts
  readonly #limits: InputLimits
  readonly #hasWayBack: boolean
  // made on first use: most handlers have none
  #effects: SideEffects | undefined
  #asked = 0

  constructor(incoming: Incoming, caller: Caller, { facts, limits, hasWayBack }: DirectInputParts) {
    this.#incoming = incoming
    this.#caller = caller
    this.#facts = facts
    this.#limits = limits
    this.#hasWayBack = hasWayBack
  }

  async ask(method: string, params: Fields, { signal }: AskingOptions = {}): Promise<Fields> {
    if (!this.#hasWayBack) throw new McpError('Misuse', noWayBack)
    assertAskable(method, params, {
      caller: this.#caller,
      facts: this.#facts,
      asked: ++this.#asked,
      limits: this.#limits,
    })
    const asked = encodeInputRequest(method, params, { facts: this.#facts, caller: this.#caller })
    const either = signal && { signal: AbortSignal.any([signal, this.#incoming.signal]) }
    const answer = await this.#incoming
      .call(method, asked, { ...patience, ...either })
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

// the error is about the input request, so its code must not become that of the request being served
function refused(method: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error
  return new McpError('Input', `The client refused "${method}": ${error.message}`, { cause: error })
}
