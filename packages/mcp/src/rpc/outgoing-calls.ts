import { McpError } from '../wire/errors.ts'
import type { Fields, Id, RequestMessage, ResponseMessage } from '../wire/messages.ts'
import type { Channel, SendOptions } from './channel.ts'
import type { ControlMethods } from './control-methods.ts'
import { PassingMap } from './passing-map.ts'
import { type CallOptions, PendingCall, type Progress } from './pending-call.ts'
import { sendOn } from './send.ts'

export type Call = (method: string, params: Fields, options?: CallOptions) => Promise<Fields>
export type Notify = (
  method: string,
  params: Fields,
  options?: Pick<SendOptions, 'change'>,
) => Promise<void> | undefined

export interface OutgoingCallsOptions {
  readonly control: ControlMethods
  /** Calls in flight at the same time; more are refused. */
  readonly maxInFlight: number
}

/** Cancelled calls whose results are still awaited, at most: most are never answered. */
const mostLate = 1_000

/** The outgoing calls of one channel, matched with their responses by id. */
export class OutgoingCalls {
  readonly #channel: Channel
  readonly #options: OutgoingCallsOptions
  readonly #pending = new PassingMap<Id, PendingCall>()
  /** Receivers of the late results of cancelled calls, by id. */
  readonly #late = new Map<Id, (result: Fields) => void>()
  #closeReason: Error | undefined
  #nextId = 0
  #holds = 0
  readonly #held = (): boolean => this.isHeld

  constructor(channel: Channel, options: OutgoingCallsOptions) {
    this.#channel = channel
    this.#options = options
  }

  /** The number of calls in flight. */
  get size(): number {
    return this.#pending.size
  }

  readonly call: Call = (method, params, options = {}) => {
    const { signal, token = true, relatedTo, labels, name } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    const refusal = this.#refusal(method)
    if (refusal) return Promise.reject(refusal)
    const id = this.#channel.nextId?.() ?? this.#nextId++
    const giveUp = (reason: unknown): void => this.#giveUp(id, reason, options)
    const pending = new PendingCall(method, options, { giveUp, held: this.#held })
    this.#pending.set(id, pending)
    options.onSent?.(id)
    const sent = token ? { ...params, _meta: { ...(params._meta as Fields | undefined), progressToken: id } } : params
    const message: RequestMessage = { jsonrpc: '2.0', id, method, params: sent }
    sendOn(this.#channel, message, { relatedTo, labels, name })?.catch((error: unknown) => this.failed(id, error))
    return pending.promise
  }

  readonly notify: Notify = (method, params, options) => {
    if (this.#closeReason) return Promise.reject(this.#refusal(method))
    return sendOn(this.#channel, { jsonrpc: '2.0', method, params }, options)
  }

  /**
   * Pauses the time limits of all calls while the other side waits for this one; the returned function resumes them.
   */
  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
    }
  }

  /** True while time limits are paused. */
  get isHeld(): boolean {
    return this.#holds > 0 || this.#channel.isHeld === true
  }

  /** The `context` of a call in flight. */
  contextOf(id: Id): unknown {
    return this.#pending.get(id)?.context
  }

  /** Settles the call of a response; `false` when there was none. */
  answered(response: ResponseMessage): boolean {
    const { id } = response
    const pending = id === undefined || id === null ? undefined : this.#pending.delete(id)
    if (pending) pending.answer(response)
    else if (this.#late.size > 0) this.#crossed(response)
    // a response may cross a cancellation on the way
    return pending !== undefined || this.#wasGiven(id)
  }

  /** Rejects a call that will not be answered; `false` when it is not in flight. */
  failed(id: Id, reason: unknown): boolean {
    const pending = this.#pending.delete(id)
    pending?.fail(reason)
    return pending !== undefined
  }

  /** Reports progress to its call; `false` when it is not in flight. */
  progressed(params: Fields): boolean {
    const pending = this.#pending.get(params.progressToken as Id)
    pending?.progress(params as unknown as Progress)
    return pending !== undefined
  }

  /** Rejects all pending calls without sending cancellations. */
  rejectAll(reason: Error): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of pending) call.fail(reason)
  }

  /** Refuses every further call. */
  close(reason: Error): void {
    this.#closeReason = reason
    this.#late.clear()
  }

  #wasGiven(id: ResponseMessage['id']): boolean {
    return this.#channel.nextId ? typeof id === 'string' : typeof id === 'number' && id >= 0 && id < this.#nextId
  }

  #refusal(method: string): McpError | undefined {
    const cause = this.#closeReason
    const { maxInFlight } = this.#options
    if (cause) {
      return new McpError('NotSent', `Cannot send "${method}": ${cause.message}`, { outcome: 'NotSent', cause })
    }
    if (this.#pending.size < maxInFlight) return undefined
    return new McpError('Busy', `Cannot send "${method}": ${maxInFlight} calls are in flight already`, {
      outcome: 'NotSent',
    })
  }

  #giveUp(id: Id, reason: unknown, { cancels = true, relatedTo, onLateResult }: CallOptions): void {
    if (!this.failed(id, reason) || !cancels || this.#closeReason) return
    const why = reason instanceof Error ? reason.message : String(reason)
    if (this.#channel.abandon) return this.#channel.abandon(id, why)
    if (onLateResult) this.#awaitLate(id, onLateResult)
    const params = { requestId: id, reason: why }
    const method = this.#options.control.cancelled
    sendOn(this.#channel, { jsonrpc: '2.0', method, params }, { relatedTo })?.catch(() => {})
  }

  #awaitLate(id: Id, onLateResult: (result: Fields) => void): void {
    this.#late.set(id, onLateResult)
    const [oldest] = this.#late.keys()
    if (this.#late.size > mostLate && oldest !== undefined) this.#late.delete(oldest)
  }

  #crossed(response: ResponseMessage): void {
    const id = response.id as Id
    const onLateResult = this.#late.get(id)
    this.#late.delete(id)
    if ('result' in response) onLateResult?.(response.result)
  }
}
