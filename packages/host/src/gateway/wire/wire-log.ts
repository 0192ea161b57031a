import { AsyncLocalStorage } from 'node:async_hooks'
import type { Fields } from '@trunkline/mcp'
import type { Act } from '../../act/act.ts'
import type { ServerKey } from '../../act/server-key.ts'
import type { ServerName } from '../../act/server-name.ts'
import type { RecordLevel } from '../../ledger/payloads.ts'
import { isKept, messageText } from './message-text.ts'
import type { WireHttp, WireItem, WireMessage } from './wire-item.ts'
import { WireRing } from './wire-ring.ts'

/** An act on whose behalf something passes. */
export interface WireAct {
  readonly act: string
  readonly server: ServerName
  readonly level: RecordLevel
}

/** One request of a caller; its acts are known when it has been understood. */
export class CallerExchange {
  readonly acts: WireAct[] = []
  /** Called with each act that the request leads to. */
  onAct: ((act: WireAct) => void) | undefined
}

/** On whose behalf the code that runs at the moment works. */
interface Context {
  readonly exchange: CallerExchange | undefined
  readonly act: WireAct | undefined
}

export interface WireLogOptions {
  levelOf(server: ServerKey, project: string | undefined): RecordLevel
  readonly maxBytes?: number
}

type Passed = Pick<WireMessage, 'hop' | 'direction' | 'connection'>

/** Messages between callers, the host and servers while they are watched; otherwise it does nothing. */
export class WireLog {
  readonly #options: WireLogOptions
  readonly #ring: WireRing
  readonly #context = new AsyncLocalStorage<Context>()
  /** The acts of calls whose callers come back for another round. */
  readonly #acts = new WeakMap<object, WireAct>()
  readonly #onTurn = new Set<(isOpen: boolean) => void>()
  #watchers = 0
  #number = 0

  constructor(options: WireLogOptions) {
    this.#options = options
    this.#ring = new WireRing(options.maxBytes)
  }

  /** True while messages are watched. */
  get isOpen(): boolean {
    return this.#watchers > 0
  }

  get forgotten(): number {
    return this.#ring.forgotten
  }

  get items(): readonly WireItem[] {
    return this.#ring.items
  }

  /** Keeps messages until the returned function is called. */
  watch(): () => void {
    this.#turn(1)
    let isOver = false
    return () => {
      if (!isOver) this.#turn(-1)
      isOver = true
    }
  }

  /** Calls back when the first one looks, and when the last one does no more. */
  onTurn(listener: (isOpen: boolean) => void): void {
    this.#onTurn.add(listener)
  }

  /** Does the work of a request of a caller. */
  serving<Value>(exchange: CallerExchange, work: () => Value): Value {
    return this.#context.run({ exchange, act: undefined }, work)
  }

  /** Does the work of an act; a call whose caller comes back stands for its act. */
  doing<Value>(act: Act, call: object, work: () => Value): Value {
    const level = this.#options.levelOf(act.serverKey, act.project)
    const noted: WireAct = { act: act.id, server: act.server, level }
    this.#acts.set(call, noted)
    const exchange = this.#context.getStore()?.exchange
    noteAct(exchange, noted)
    return this.#context.run({ exchange, act: noted }, work)
  }

  /** The request that is served at the moment is another round of a call. */
  resumed(call: object): void {
    const act = this.#acts.get(call)
    if (act) noteAct(this.#context.getStore()?.exchange, act)
  }

  /** Does work that is for no act, whatever led to it. */
  apart(work: () => void): void {
    if (this.isOpen) this.#context.exit(work)
    else work()
  }

  /** The act that the running code works for. */
  get current(): WireAct | undefined {
    return this.#context.getStore()?.act
  }

  message({ act, server, level }: WireAct, passed: Passed, message: Fields): void {
    if (!isKept(level)) return
    const { method, id, error, params } = message as { readonly [name: string]: never }
    const { inputResponses, requestState } = (params ?? {}) as Fields
    this.#ring.add({
      ...passed,
      ...{ kind: 'message', number: this.#next(), at: Date.now(), act, server, method, id },
      isError: error !== undefined || (message.result as Fields | undefined)?.isError === true,
      isLaterRound: inputResponses !== undefined || requestState !== undefined,
      text: messageText(message, level),
    })
  }

  http({ act, server, level }: WireAct, exchange: Omit<WireHttp, 'kind' | 'number' | 'act' | 'server'>): void {
    if (isKept(level)) this.#ring.add({ ...exchange, kind: 'http', number: this.#next(), act, server })
  }

  #next(): number {
    this.#number += 1
    return this.#number
  }

  #turn(by: number): void {
    const wasOpen = this.isOpen
    this.#watchers += by
    if (wasOpen !== this.isOpen) for (const listener of this.#onTurn) listener(this.isOpen)
  }
}

function noteAct(exchange: CallerExchange | undefined, act: WireAct): void {
  if (!exchange || exchange.acts.some((one) => one.act === act.act)) return
  exchange.acts.push(act)
  exchange.onAct?.(act)
}
