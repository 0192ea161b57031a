import type { Dialect, Link } from '../dialects/dialect.ts'
import type { Change, Interest } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'

/** A watch that goes on until it is closed. */
export interface Watching extends AsyncDisposable {
  close(): Promise<void>
}

const mostWatches = 1_000

/** Everything a client watches on one link. */
export class Watches {
  readonly #link: Link
  readonly #dialect: Dialect
  readonly #open = new Set<AbortController>()

  constructor(link: Link, dialect: Dialect) {
    this.#link = link
    this.#dialect = dialect
    link.gone.addEventListener('abort', () => this.stopAll())
  }

  get size(): number {
    return this.#open.size
  }

  /** Reports changes of interest once the server has agreed to tell of them. */
  async start(interest: Interest, onChange: (change: Change) => void): Promise<Watching> {
    if (this.#open.size >= mostWatches)
      throw new McpError('TooMany', `Cannot watch: ${mostWatches} watches are open already`)
    const stop = new AbortController()
    this.#open.add(stop)
    const close = async (): Promise<void> => {
      this.#open.delete(stop)
      stop.abort()
    }
    try {
      const onEnd = (): void => void close()
      await this.#dialect.watch(this.#link, { interest, signal: stop.signal, onChange, onEnd })
    } catch (error) {
      await close()
      throw error
    }
    return { close, [Symbol.asyncDispose]: close }
  }

  stopAll(): void {
    for (const stop of this.#open) stop.abort()
    this.#open.clear()
  }
}
