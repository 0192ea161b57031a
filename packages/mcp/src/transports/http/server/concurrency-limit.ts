import { HttpRefusal } from './refusals.ts'

/** Limits what is in flight, in total and per caller. */
export class ConcurrencyLimit {
  readonly #what: string
  readonly #most: number
  readonly #mostPerCaller: number
  readonly #perCaller = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(what: string, most: number, mostPerCaller: number) {
    this.#what = what
    this.#most = most
    this.#mostPerCaller = mostPerCaller
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes a slot; the returned function gives it back. */
  take(caller: string | undefined): () => void {
    this.assertRoom(caller)
    this.#taken += 1
    if (caller === undefined) return this.#giveUnnamed
    this.#perCaller.set(caller, this.#own(caller) + 1)
    return () => this.#give(caller)
  }

  /** True if there is a slot to take. */
  hasRoom(caller: string | undefined): boolean {
    return this.#taken < this.#most && this.#own(caller) < this.#mostPerCaller
  }

  /** Throws when there is no slot to take. */
  assertRoom(caller: string | undefined): void {
    if (this.hasRoom(caller)) return
    throw new HttpRefusal(503, `Too many ${this.#what} at once`, { 'retry-after': '1' })
  }

  /** Resolves when nothing is in flight. */
  async whenFree(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #own(caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#perCaller.get(caller) ?? 0)
  }

  // one for all, because most servers know no callers and would make one for each request
  readonly #giveUnnamed = (): void => this.#give(undefined)

  #give(caller: string | undefined): void {
    this.#taken -= 1
    if (caller !== undefined) {
      const own = this.#own(caller) - 1
      if (own === 0) this.#perCaller.delete(caller)
      else this.#perCaller.set(caller, own)
    }
    if (this.#taken === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
