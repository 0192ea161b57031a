import { type Channel, type Message, tapChannel } from '@trunkline/mcp/client'
import { TokenBucket } from './token-bucket.ts'

/** Limits of a server's messages that no call of ours asked for, in each second. */
export interface SendRates {
  readonly maxRequestsPerSecond: number
  readonly maxNotificationsPerSecond: number
}

export interface ThrottleOptions {
  /** The limits that count now. */
  rates(): SendRates
  /** Called when its output begins to be read slowly, with the reason, and when it has not been for a while. */
  onChange(why: string | undefined): void
  /** Milliseconds within the limits after which a server counts as well again. @default 60_000 */
  readonly calmMs?: number
}

/** A pause shorter than this costs more than it brings. */
const leastPauseMs = 20
const usualCalmMs = 60_000

/** Reads the output of one server no faster than it may send requests and notifications: beyond that its pipe fills. */
export class Throttle {
  readonly #options: ThrottleOptions
  readonly #requests: TokenBucket
  readonly #notifications: TokenBucket
  #channel: Channel | undefined
  #isPaused = false
  #why: string | undefined
  #calm: NodeJS.Timeout | undefined

  constructor(options: ThrottleOptions) {
    this.#options = options
    this.#requests = new TokenBucket(() => options.rates().maxRequestsPerSecond)
    this.#notifications = new TokenBucket(() => options.rates().maxNotificationsPerSecond)
  }

  /** The reason why its output is read slowly; undefined where it is not. */
  get why(): string | undefined {
    return this.#why
  }

  /** The channel of the server's connection, with its requests and notifications counted; answers to calls are not. */
  through(channel: Channel): Channel {
    this.#channel = channel
    this.#isPaused = false
    return tapChannel(channel, {
      isOn: (message, direction) => direction === 'received' && ('method' in message || Array.isArray(message)),
      sent: () => {},
      received: (message, _sender, next) => {
        next()
        this.#count(message)
      },
      malformed: () => this.spend(),
    })
  }

  /** Counts something that costs as much as a notification, such as a line that is no message. */
  spend(): void {
    this.#take(this.#notifications, 'notifications', this.#options.rates().maxNotificationsPerSecond)
  }

  #count(message: Message): void {
    if (!('method' in message && 'id' in message)) return this.spend()
    this.#take(this.#requests, 'requests', this.#options.rates().maxRequestsPerSecond)
  }

  #take(bucket: TokenBucket, what: string, most: number): void {
    bucket.take()
    const { waitMs } = bucket
    if (waitMs === 0 || this.#isPaused) return
    const channel = this.#channel
    const resume = channel?.pause?.()
    if (!resume) return
    this.#isPaused = true
    this.#throttled(`throttled: it sends more than ${most} ${what} a second, so its output is read slowly`)
    setTimeout(
      () => {
        if (this.#channel === channel) this.#isPaused = false
        resume()
      },
      Math.max(waitMs, leastPauseMs),
    ).unref()
  }

  #throttled(why: string): void {
    clearTimeout(this.#calm)
    this.#calm = setTimeout(() => {
      this.#why = undefined
      this.#options.onChange(undefined)
    }, this.#options.calmMs ?? usualCalmMs).unref()
    if (this.#why !== undefined) return
    this.#why = why
    this.#options.onChange(why)
  }
}
