import type { Clock, ReconnectLimits } from './http-channel-options.ts'

/** Exponential backoff with full jitter, so that many clients do not reconnect at once. */
export class Backoff {
  readonly #limits: ReconnectLimits
  readonly #clock: Clock
  #tries = 0

  constructor(limits: ReconnectLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Milliseconds before the next try, at least what the server asks for; undefined after `maxTries`. */
  next(askedMs = 0): number | undefined {
    const { minDelayMs, maxDelayMs, maxTries } = this.#limits
    if (this.#tries >= maxTries) return undefined
    const own = this.#clock.random() * Math.min(maxDelayMs, minDelayMs * 2 ** this.#tries++)
    const asked = Math.min(askedMs, maxDelayMs) * (1 + this.#clock.random())
    return Math.max(own, asked)
  }

  /** Resets the tries, because something arrived. */
  progressed(): void {
    this.#tries = 0
  }
}

/** Parses a `Retry-After` header with seconds or a date into milliseconds. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return ms > 0 ? ms : undefined
}
