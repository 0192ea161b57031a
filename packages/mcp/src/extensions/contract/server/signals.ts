import type { Caller, ServerRequest } from '../../../dialects/dialect.ts'
import type { Context } from '../../../server/context.ts'
import { InvalidParams, McpError, RpcError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import type { Fields } from '../../../wire/messages.ts'
import { didYouMean } from '../../../wire/near-name.ts'
import type { SignalParams } from '../signal-method.ts'
import { badTerm } from '../terms.ts'

/** Handles a signal; what it throws is logged, and the call goes on. */
export type SignalListener = () => unknown

interface SignalledCall {
  readonly tool: string
  /** The names of the signals that the tool takes. */
  readonly declared: readonly string[]
  readonly caller: Caller
  readonly handle: string | undefined
  report(error: unknown, what: string): void
}

/** The signals of one call, for its handler. */
export class CallSignals {
  /** The context of the handler, once it runs; it knows the task that the call may have become. */
  ctx: (Context & { readonly taskId?: string }) | undefined
  readonly #call: SignalledCall
  readonly #listeners = new Map<string, SignalListener>()
  // one of each at most, so that they are bounded by the definition
  readonly #waiting = new Set<string>()

  constructor(call: SignalledCall) {
    this.#call = call
  }

  /** True if a caller means this call. */
  isMeant(to: string, { principal }: Caller): boolean {
    const { caller, handle } = this.#call
    return caller.principal === principal && (handle === to || this.ctx?.taskId === to)
  }

  /** Listens to a signal; one that arrived before is delivered at once. */
  on(name: string, listener: SignalListener): void {
    const { tool, declared } = this.#call
    if (!declared.includes(name)) {
      const problem = `its definition declares no such signal${didYouMean(name, declared)}`
      throw new McpError('Misuse', `Cannot listen to signal "${name}" in tool "${tool}": ${problem}`)
    }
    if (typeof listener !== 'function')
      throw new McpError('Misuse', `Cannot listen to signal "${name}": give a function, not ${kindOf(listener)}`)
    this.#listeners.set(name, listener)
    if (this.#waiting.delete(name)) this.#hear(name, listener)
  }

  /** Brings a signal to the handler, or keeps it until the handler listens. */
  receive(name: string): void {
    const { tool, declared } = this.#call
    if (!declared.includes(name)) {
      const known = declared.map((each) => `"${each}"`).join(', ')
      throw refused('signal', `Tool "${tool}" takes ${known}, and no signal "${name.slice(0, 80)}"`)
    }
    const listener = this.#listeners.get(name)
    if (listener) this.#hear(name, listener)
    else this.#waiting.add(name)
  }

  #hear(name: string, listener: SignalListener): void {
    const { tool, report } = this.#call
    const what = `Signal "${name}" to tool "${tool}"`
    try {
      const heard = listener()
      if (heard instanceof Promise) heard.catch((error) => report(error, what))
    } catch (error) {
      report(error, what)
    }
  }
}

/** The calls of a server that take signals, from their arrival to their answer. */
export class SignalledCalls {
  readonly #running = new Set<CallSignals>()

  /** Makes a call known; the returned function ends that. */
  enter(signals: CallSignals, handle: string | undefined, caller: Caller): () => void {
    if (handle !== undefined && this.#find(handle, caller))
      throw badTerm('handle', 'is the name of another running call: make a new one')
    this.#running.add(signals)
    return () => void this.#running.delete(signals)
  }

  /** Serves the method that sends a signal. */
  serve({ params, caller }: ServerRequest): Fields {
    const { to, signal } = params as unknown as SignalParams
    const signals = this.#find(to, caller)
    // a call of another caller is reported like one that does not exist
    if (!signals)
      throw refused('to', `No running call of this caller that takes signals is called "${to.slice(0, 80)}"`)
    signals.receive(signal)
    return {}
  }

  #find(to: string, caller: Caller): CallSignals | undefined {
    for (const signals of this.#running) if (signals.isMeant(to, caller)) return signals
    return undefined
  }
}

function refused(field: string, why: string): RpcError {
  return new RpcError(InvalidParams, `Cannot send the signal: ${why}`, { field: `params.${field}` })
}
