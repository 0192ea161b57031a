import type { Clock } from '../src/transports/http/client/http-channel-options.ts'

/** A clock that does not wait, and notes how long it would have. */
export class HastyClock implements Clock {
  readonly waits: number[] = []
  #now = 1_700_000_000_000
  readonly #chance: number

  constructor(chance = 1) {
    this.#chance = chance
  }

  readonly now = (): number => this.#now
  readonly random = (): number => this.#chance

  readonly wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    this.waits.push(ms)
    this.#now += ms
  }
}
