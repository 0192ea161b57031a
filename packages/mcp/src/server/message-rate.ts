import { afterOneMore, msUntilNext } from '../stores/gcra.ts'

/** Seconds whose messages a call may send at once. */
const burstSeconds = 20
/** Milliseconds after which a handler that only sends messages lets others run. */
const turnMs = 10

/** Holds the messages of one call to a rate: those beyond it are left out. */
export class MessageRate {
  readonly #pace: { readonly intervalMs: number; readonly burst: number }
  readonly #now: () => number
  #usedUntil = 0
  #yieldedAt = 0
  #isLeavingOut = false

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#pace = { intervalMs: 1_000 / perSecond, burst: perSecond * burstSeconds }
    this.#now = now
  }

  /** Counts a message: `yes` if it may be sent, `first` for the first one that is left out, `no` for every further one. */
  next(): 'yes' | 'first' | 'no' {
    const now = this.#now()
    if (msUntilNext(this.#usedUntil, this.#pace, now) === 0) {
      this.#usedUntil = afterOneMore(this.#usedUntil, this.#pace, now)
      this.#isLeavingOut = false
      return 'yes'
    }
    if (this.#isLeavingOut) return 'no'
    this.#isLeavingOut = true
    return 'first'
  }

  /** A promise for the sender of a message that was left out: a loop that awaits it cannot keep all others from running. */
  get turn(): Promise<void> | undefined {
    const now = this.#now()
    if (now - this.#yieldedAt < turnMs) return undefined
    this.#yieldedAt = now
    return new Promise((resolve) => setTimeout(resolve))
  }
}
