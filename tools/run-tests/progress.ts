import { countOf, type Totals } from './totals.ts'

/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const clearLine = '\r\u001b[K'

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
    const state = `${this.#stateOf(totals)}, now ${[...this.#running].join(' and ')}`
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

  #stateOf(totals: Totals): string {
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    return `${totals.ended} of ${totals.files} files in ${seconds} s: ${countOf(totals)}`
  }
}
