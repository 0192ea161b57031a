import { controlMethods } from '../../../model/control-methods.ts'
import type { CallToolResult } from '../../../model/types.ts'
import type { Channel } from '../../../rpc/channel.ts'
import { Peer } from '../../../rpc/peer.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { AppLimits } from '../app-limits.ts'
import type { HostContext, ViewBridgeOptions } from './view-bridge-options.ts'
import { type ViewRequestState, viewRequests } from './view-requests.ts'

export interface ViewBridgeParts {
  readonly channel: Channel
  readonly options: ViewBridgeOptions
  readonly limits: Required<AppLimits>
  readonly sandbox: ViewRequestState['sandbox']
}

/** Speaks with one view: answers what it asks, and tells it of the tool call that it shows. Nothing is told before the view is ready. */
export class ViewBridge {
  readonly #peer: Peer
  readonly #options: ViewBridgeOptions
  readonly #state: ViewRequestState
  readonly #limits: Required<AppLimits>
  /** Resolves when the view is ready; rejects when it ends before that. */
  readonly ready: Promise<void>
  /** Resolves when the conversation has ended, from either side. */
  readonly closed: Promise<void>
  #becomeReady!: () => void
  #fail!: (reason: Error) => void
  #isReady = false
  #stage: 'input' | 'result' | 'over' = 'input'
  #partial: Fields | undefined

  /** @internal */
  constructor({ channel, options, limits, sandbox }: ViewBridgeParts) {
    this.#options = options
    this.#limits = limits
    this.#state = { context: options.context ?? {}, appModes: undefined, hasIntroduced: false, sandbox }
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve
      this.#fail = reject
    })
    this.ready.catch(() => {})
    const { maxRequestsInFlight } = limits
    this.#peer = new Peer(
      channel,
      {
        control: controlMethods,
        request: viewRequests(options, this.#state),
        notification: (method, params) => this.#notified(method, params),
        crashed: (error) =>
          this.#warn(`A request of the view failed: ${error instanceof Error ? error.message : String(error)}`),
        warning: (message) => this.#warn(message),
      },
      { maxRequestsInFlightPerConnection: maxRequestsInFlight, maxRequestsQueuedPerConnection: maxRequestsInFlight },
    )
    this.closed = new Promise((resolve) => {
      this.#peer.onClosed(() => {
        this.#fail(new McpError('Closed', 'Cannot reach the view: it was closed'))
        resolve()
      })
    })
  }

  /** Tells the view what its tool was called with; once, and before the result. */
  async toolInput(input: Fields): Promise<void> {
    this.#advance('input', 'result', 'the input of a tool')
    this.#partial = undefined
    await this.#tell('ui/notifications/tool-input', { arguments: input })
  }

  /** Shows input while a model still writes it; of several that arrive before the view is ready, it gets the last. */
  toolInputPartial(input: Fields): void {
    if (this.#stage !== 'input') throw misuse('a part of the input', 'the whole of it was told already')
    if (this.#isReady) return void this.#notify('ui/notifications/tool-input-partial', { arguments: input })
    this.#partial = input
  }

  /** Tells the view what its tool returned. */
  async toolResult(result: CallToolResult): Promise<void> {
    this.#advance('result', 'over', 'the result of a tool')
    await this.#tell('ui/notifications/tool-result', result as unknown as Fields)
  }

  /** Tells the view that there will be no result. */
  async toolCancelled(reason: string): Promise<void> {
    this.#stage = 'over'
    await this.#tell('ui/notifications/tool-cancelled', { reason })
  }

  /** Tells the view what is not as it was, such as the theme. */
  async contextChanged(changes: HostContext): Promise<void> {
    this.#state.context = { ...this.#state.context, ...changes }
    // before that, the view is told all of it when it begins
    if (this.#state.hasIntroduced) await this.#tell('ui/notifications/host-context-changed', changes)
  }

  /** Lets the view finish what it has under way, for as long as it may take, and ends the conversation. */
  async close({ reason = 'closed', graceMs = 1_000 }: { reason?: string; graceMs?: number } = {}): Promise<void> {
    try {
      if (this.#isReady)
        await this.#peer.call('ui/resource-teardown', { reason }, { timeoutMs: graceMs, cancels: false, token: false })
    } catch (error) {
      this.#warn(`The view did not end by itself: ${error instanceof Error ? error.message : String(error)}`)
    }
    await this.#peer.close()
  }

  /** Ends the conversation at once. */
  async abandon(): Promise<void> {
    await this.#peer.close()
  }

  #advance(from: 'input' | 'result', to: 'result' | 'over', what: string): void {
    if (this.#stage !== from)
      throw misuse(
        what,
        from === 'result' && this.#stage === 'input' ? 'tell it the input first' : 'it was told already',
      )
    this.#stage = to
  }

  async #tell(method: string, params: Fields): Promise<void> {
    await this.ready
    await this.#peer.notify(method, params)
  }

  #notify(method: string, params: Fields): void {
    void this.#peer.notify(method, params)?.catch((error: Error) => this.#warn(error.message))
  }

  #notified(method: string, params: Fields): void {
    const { onLog, onCloseRequest } = this.#options
    if (method === 'ui/notifications/initialized') this.#initialized()
    else if (!this.#isReady) this.#warn(`Ignored "${method}" of a view that is not ready`)
    else if (method === 'ui/notifications/size-changed') this.#resized(params)
    else if (method === 'notifications/message') onLog?.(params)
    else if (method === 'ui/notifications/request-teardown') onCloseRequest?.()
  }

  #initialized(): void {
    if (!this.#state.hasIntroduced || this.#isReady) return this.#warn('Ignored "initialized" of a view out of turn')
    this.#isReady = true
    if (this.#partial) this.#notify('ui/notifications/tool-input-partial', { arguments: this.#partial })
    this.#partial = undefined
    this.#becomeReady()
  }

  #resized({ width, height }: Fields): void {
    const pixels = (value: unknown): number | undefined =>
      typeof value === 'number' && value >= 0 ? Math.min(Math.ceil(value), this.#limits.maxSizePixels) : undefined
    const [wide, high] = [pixels(width), pixels(height)]
    if (wide === undefined && high === undefined) return this.#warn('Ignored a size that is not a number of pixels')
    this.#options.onSize?.({ ...(wide !== undefined && { width: wide }), ...(high !== undefined && { height: high }) })
  }

  #warn(message: string): void {
    this.#options.onWarning?.(message)
  }
}

function misuse(what: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot tell a view ${what}: ${problem}`)
}
