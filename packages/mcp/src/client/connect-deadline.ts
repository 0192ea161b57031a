import type { Link } from '../dialects/dialect.ts'
import type { Channel } from '../rpc/channel.ts'
import { type DeadlineOptions, deadlineDefaults, duration, timerDelay } from '../rpc/deadline.ts'
import { McpError } from '../wire/errors.ts'
import type { Dial } from './dial.ts'
import type { ClientLink } from './link.ts'

export interface ConnectDeadlineOptions extends DeadlineOptions {
  readonly signal?: AbortSignal | undefined
  makeLink(channel: Channel): ClientLink
}

// how often it checks whether the link waits for the user
const lookMs = 100

/**
 * The deadline of opening a connection, from starting a program to the end of the handshake. The time for which the
 * user signs in counts only toward the total.
 */
export class ConnectDeadline {
  readonly timeoutMs: number
  readonly #maxTotalMs: number
  readonly #options: ConnectDeadlineOptions
  readonly #startedAt = performance.now()
  readonly #expired: Promise<never>
  #expire!: (reason: unknown) => void
  #stopped: { readonly reason: unknown } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #seenAt = this.#startedAt
  #heldMs = 0
  #link: ClientLink | undefined
  #channel: Channel | undefined
  #waitsFor = ''

  constructor(options: ConnectDeadlineOptions) {
    const { timeoutMs = deadlineDefaults.timeoutMs, maxTotalMs = deadlineDefaults.maxTotalMs } = options
    this.#options = options
    this.#maxTotalMs = duration('maxTotalMs', maxTotalMs)
    this.timeoutMs = Math.min(duration('timeoutMs', timeoutMs), this.#maxTotalMs)
    this.#expired = new Promise((_, reject) => {
      this.#expire = reject
    })
  }

  /** Runs all steps; when they fail, time out or are aborted, closes what was opened. */
  async run<Value>(steps: () => Promise<Value>): Promise<Value> {
    const { signal } = this.#options
    const abort = (): void => this.#stop(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort, { once: true })
    this.#look()
    try {
      return await Promise.race([steps(), this.#expired])
    } catch (error) {
      const closing = this.#link?.close().catch(ignore)
      // closing must not take longer than the deadline either
      await Promise.race([closing, this.#expired]).catch(ignore)
      throw error
    } finally {
      clearTimeout(this.#timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Opens a channel, and closes it again when that took too long. */
  async dial(dial: Dial): Promise<ClientLink> {
    this.#assertNotStopped()
    const channel = await dial()
    try {
      this.#assertNotStopped()
    } catch (reason) {
      channel.close().catch(ignore)
      throw reason
    }
    this.#channel = channel
    this.#link = this.#options.makeLink(channel)
    return this.#link
  }

  /** A link whose calls have no time limits of their own. */
  over(link: ClientLink): Link {
    const call: Link['call'] = (method, params, options) => {
      this.#waitsFor = ` to "${method}"`
      return link.call(method, params, { ...options, timeoutMs: endless, maxTotalMs: endless })
    }
    const notify: Link['notify'] = (method, params) => {
      this.#waitsFor = ` to "${method}"`
      return link.notify(method, params)
    }
    return { call, notify, listen: (listener) => link.listen(listener), gone: link.gone }
  }

  #look(): void {
    const now = performance.now()
    if (this.#link?.isHeld) this.#heldMs += now - this.#seenAt
    this.#seenAt = now
    const tookMs = now - this.#startedAt
    const leftMs = Math.min(this.timeoutMs - tookMs + this.#heldMs, this.#maxTotalMs - tookMs)
    if (leftMs > 0) this.#timer = setTimeout(() => this.#look(), timerDelay(Math.min(leftMs, lookMs)))
    else this.#stop(this.#late(tookMs >= this.#maxTotalMs ? this.#maxTotalMs : this.timeoutMs))
  }

  #assertNotStopped(): void {
    if (this.#stopped) throw this.#stopped.reason
  }

  #stop(reason: unknown): void {
    this.#stopped ??= { reason }
    this.#expire(reason)
  }

  #late(limitMs: number): McpError {
    const said = this.#channel?.strayOutput ?? ''
    const quote = said && `, after the program wrote ${said}`
    return new McpError('Timeout', `Cannot connect: no answer${this.#waitsFor} in ${limitMs} ms${quote}`, {
      outcome: 'NotSent',
    })
  }
}

const endless = Number.POSITIVE_INFINITY

const ignore = (): void => {}
