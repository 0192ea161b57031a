import type { Dialect, Link } from '../dialects/dialect.ts'
import { watchedLists } from '../model/features.ts'
import type { Change, Interest } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'
import { WatchRetry } from './watch-retry.ts'

/** A watch that lasts until it is closed. */
export interface Watching extends AsyncDisposable {
  close(): Promise<void>
}

const mostWatches = 1_000

/** Everything a client watches on one link. */
export class Watches {
  readonly #link: Link
  readonly #dialect: Dialect
  readonly #outdated: (change: Change) => void
  readonly #open = new Set<AbortController>()

  /** `outdated` receives what may have changed while there was no stream. */
  constructor(link: Link, dialect: Dialect, outdated: (change: Change) => void) {
    this.#link = link
    this.#dialect = dialect
    this.#outdated = outdated
    link.gone.addEventListener('abort', () => this.stopAll())
  }

  get size(): number {
    return this.#open.size
  }

  /** Starts a watch; resolves once the server has accepted it. */
  async start(interest: Interest, onChange: (change: Change) => void): Promise<Watching> {
    if (this.#open.size >= mostWatches)
      throw new McpError('TooMany', `Cannot watch: ${mostWatches} watches are open already`)
    const stop = new AbortController()
    this.#open.add(stop)
    const close = async (): Promise<void> => {
      this.#open.delete(stop)
      stop.abort()
    }
    const returns = new WatchRetry()
    let timer: ReturnType<typeof setTimeout> | undefined
    stop.signal.addEventListener('abort', () => clearTimeout(timer))
    const listen = async (): Promise<void> => {
      await this.#dialect.watch(this.#link, { interest, signal: stop.signal, onChange, onEnd })
      returns.began()
    }
    const onEnd = (reason: unknown): void => {
      // a server may end a watch only to authenticate its listener again
      const waitMs = reason === undefined ? returns.next() : undefined
      if (waitMs === undefined) return void close()
      timer = setTimeout(() => listen().then(() => this.#missed(interest, onChange), close), waitMs)
    }
    try {
      await listen()
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

  // anything may have changed in between
  #missed(interest: Interest, onChange: (change: Change) => void): void {
    for (const change of changesOf(interest)) {
      this.#outdated(change)
      onChange(change)
    }
  }
}

/** Every change that an interest covers. */
function changesOf(interest: Interest): readonly Change[] {
  const { uris = [] } = interest
  const lists = watchedLists.filter(({ kind }) => interest[kind])
  return [...lists.map(({ kind }) => ({ kind })), ...uris.map((uri) => ({ kind: 'resource', uri }) as const)]
}
