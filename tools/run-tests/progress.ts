import { countOf, type Totals } from './totals.ts'

/** Screen that progress is shown on. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const clearLine = '\r\u001b[K'
/** Files that are named of those that run. */
const mostNamed = 3
/** Share of the files that must have ended before the rest is estimated by them. */
const leastKnown = 0.1

/** Shows how far the tests are: one line that changes on a terminal, elsewhere a line now and then. */
export class Progress {
  readonly #screen: Screen
  readonly #quietMs: number
  readonly #running = new Set<string>()
  readonly #start = performance.now()
  #saidAt = this.#start

  constructor(screen: Screen, quietMs = 30_000) {
    this.#screen = screen
    this.#quietMs = quietMs
  }

  begin(file: string, totals: Totals): void {
    this.#running.add(file)
    this.show(totals)
  }

  end(file: string, totals: Totals): void {
    this.#running.delete(file)
    this.show(totals)
  }

  /** Shows the state; off a terminal only when nothing was said for a while. */
  show(totals: Totals): void {
    const state = `${this.#stateOf(totals)}${this.#leftOf(totals)}, now ${this.#named()}`
    if (this.#screen.isTTY) this.#screen.write(`${clearLine}${state.slice(0, (this.#screen.columns ?? 80) - 1)}`)
    else if (performance.now() - this.#saidAt >= this.#quietMs) this.say(state)
  }

  /** Says something that stays. */
  say(text: string): void {
    this.#saidAt = performance.now()
    this.#screen.write(`${this.#screen.isTTY ? clearLine : ''}${text}\n`)
  }

  /** Says the last state. */
  done(totals: Totals): void {
    this.say(this.#stateOf(totals))
  }

  /** The files that run, the first of them by name: those of one process begin together. */
  #named(): string {
    const running = [...this.#running]
    const more = running.length - mostNamed
    return [...running.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(' and ')
  }

  /** Estimate of the time left, from the files that have ended; the longest run first. */
  #leftOf({ ended, files }: Totals): string {
    if (ended < files * leastKnown) return ''
    const left = ((performance.now() - this.#start) * (files - ended)) / ended
    return `, at most about ${left > 90_000 ? `${Math.ceil(left / 60_000)} min` : `${Math.ceil(left / 1000)} s`} left`
  }

  #stateOf(totals: Totals): string {
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    return `${totals.ended} of ${totals.files} files in ${seconds} s: ${countOf(totals)}`
  }
}
