import type { Clock, ReconnectLimits } from './options.ts'

/** Decides how long to wait before each try, so that many clients do not come back all at once. */
export class Backoff {
  readonly #limits: ReconnectLimits
  readonly #clock: Clock
  #tries = 0

  constructor(limits: ReconnectLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Milliseconds before the next try, at least what the server asks for; nothing when there were tries enough. */
  next(askedMs = 0): number | undefined {
    const { minDelayMs, maxDelayMs, maxTries } = this.#limits
    if (this.#tries >= maxTries) return undefined
    const own = this.#clock.random() * Math.min(maxDelayMs, minDelayMs * 2 ** this.#tries++)
    const asked = Math.min(askedMs, maxDelayMs) * (1 + this.#clock.random())
    return Math.max(own, asked)
  }

  /** Something arrived: the tries before it no longer count. */
  progressed(): void {
    this.#tries = 0
  }
}

/** The milliseconds that a `Retry-After` header asks for, which holds seconds or a date. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return ms > 0 ? ms : undefined
}
