import { setTimeout as wait } from 'node:timers/promises'
import { TokenBucket } from './token-bucket.ts'

/** Runs in a second, beyond a short burst, that a server may cause by saying that something changed. */
const maxRunsPerSecond = 4

/** Work that a server causes by saying that something changed: one run is under way and one waits, however often it says so. */
export class CoalescedRuns {
  readonly #work: () => Promise<void>
  readonly #rate = new TokenBucket(() => maxRunsPerSecond)
  #underWay: Promise<void> | undefined
  #waiting: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /** Runs now, or joins the run that is under way. */
  run(): Promise<void> {
    this.#underWay ??= this.#work().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** Runs after the run that is under way, which may have seen things as they were before they changed. */
  runAgain(): Promise<void> {
    this.#waiting ??= this.#next()
    return this.#waiting
  }

  async #next(): Promise<void> {
    await this.#underWay?.catch(() => {})
    const { waitMs } = this.#rate
    if (waitMs > 0) await wait(waitMs, undefined, { ref: false })
    // one that began during the wait may have begun before the last change
    await this.#underWay?.catch(() => {})
    this.#rate.take()
    this.#waiting = undefined
    return this.run()
  }
}
