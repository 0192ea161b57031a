import { type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import type { Act } from '../act/act.ts'

import type { ActHandler, Doing } from '../acts/doing.ts'
import { contractParts } from '../relay/terms/given-terms.ts'
import { signalMethod } from '../relay/terms/signal-method.ts'
import { keepsContract } from '../relay/terms/terms-upstream.ts'
import type { Upstream } from '../servers/upstream.ts'
import type { Wanted } from './targets.ts'

export interface SignalledCallParts {
  /** The server that does an act, or the copy of it that its caller has. */
  upstream(act: Act): Upstream
  /** The stack of acts that the host does itself. */
  own(does: ActHandler): ActHandler
}

/**
 * The calls under way whose tools take signals. Callers name a call by their own handle or by the task they were given;
 * its server knows it by its act, so that neither learns the other's name for it.
 */
export class SignalledCalls {
  readonly #parts: SignalledCallParts
  // no more than there are open calls
  readonly #running = new Set<Doing>()
  // signals that came before the call left for its server; one of each at most, so the definition bounds them
  readonly #waiting = new WeakMap<Doing, Set<string>>()

  constructor(parts: SignalledCallParts) {
    this.#parts = parts
  }

  /** Makes a call known until its work is done. */
  async during(doing: Doing, work: () => Promise<Fields>): Promise<Fields> {
    const { handle } = doing.given?.terms ?? {}
    if (handle !== undefined && this.#find(handle, doing.act.principal.id)) {
      const { badTerm } = await contractParts()
      throw badTerm('handle', 'is the name of another running call: make a new one')
    }
    this.#running.add(doing)
    const waiting = new Set<string>()
    this.#waiting.set(doing, waiting)
    if (doing.given) doing.given.onSent = () => this.#sendWaiting(doing, waiting)
    try {
      return await work()
    } finally {
      this.#running.delete(doing)
    }
  }

  /** The act of sending a signal; it belongs to a call that was judged and counted, so only a rule that denies stops it. */
  wanted({ params }: RelayRequest, principal: string): Wanted {
    const { to, signal } = params
    if (typeof to !== 'string') throw refused('to', '"to" must be the handle or the task of a running call')
    if (typeof signal !== 'string') throw refused('signal', '"signal" must be the name of a signal')
    const doing = this.#find(to, principal)
    if (!doing) throw refused('to', `No running call of this caller that takes signals is called "${to.slice(0, 80)}"`)
    const { act } = doing
    assertDeclared(doing, signal)
    const by = this.#parts.own(() => this.#send(doing, signal))
    return { kind: 'signal', server: act.serverKey, target: act.target, args: { signal }, params, by }
  }

  async #send(doing: Doing, signal: string): Promise<Fields> {
    const { act, given } = doing
    if (given?.isSent !== true) {
      this.#waiting.get(doing)?.add(signal)
      return {}
    }
    const client = this.#parts.upstream(act).connection
    if (!client || !keepsContract(client)) throw refused('to', `Server "${act.server}" takes no signals at the moment`)
    // it acts on a call that holds a place at its server, so it needs none
    await client.request(signalMethod, { to: act.id, signal })
    return {}
  }

  #sendWaiting(doing: Doing, waiting: Set<string>): void {
    for (const signal of waiting) {
      // its sender was answered already, and the call goes on without it
      this.#send(doing, signal).catch(() => {})
    }
    waiting.clear()
  }

  #find(to: string, principal: string): Doing | undefined {
    for (const doing of this.#running) {
      const { act, call, given } = doing
      if (act.principal.id === principal && (given?.terms.handle === to || call.taskId === to)) return doing
    }
    return undefined
  }
}

/** Refuses signals that the accepted definition does not declare. */
function assertDeclared({ act, given }: Doing, signal: string): void {
  const { signals = [] } = given ?? {}
  if (signals.includes(signal)) return
  const known = signals.map((each) => `"${each}"`).join(', ')
  throw refused('signal', `Tool "${act.target}" takes ${known}, and no signal "${signal.slice(0, 80)}"`)
}

function refused(field: string, why: string): RpcError {
  return new RpcError(InvalidParams, `Cannot send the signal: ${why}`, { field: `params.${field}` })
}
