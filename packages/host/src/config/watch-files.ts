import { stat } from 'node:fs/promises'

/** Options of a file watch. */
export interface WatchOptions {
  /** Interval of the looks; a change is reported when two looks in a row see the same. @default 250 */
  readonly everyMs?: number
}

const defaults = { everyMs: 250 } as const satisfies WatchOptions

/**
 * Looks at files again and again. Unlike notices of the file system this also sees files that are replaced, linked or not
 * there yet, in folders that are not there yet, on any disk.
 */
export class FileWatch implements Disposable {
  readonly #changed: (paths: readonly string[]) => void
  /** The reported state of each file, and that of the last look. */
  readonly #files = new Map<string, { told: string; seen: string }>()
  readonly #timer: NodeJS.Timeout
  #looking = false

  constructor(changed: (paths: readonly string[]) => void, options: WatchOptions = {}) {
    const { everyMs = defaults.everyMs } = options
    this.#changed = changed
    this.#timer = setInterval(() => void this.#look(), everyMs)
    // a program that only waits for changes may end
    this.#timer.unref()
  }

  /** Watches one more file from how it is now. */
  async add(path: string): Promise<void> {
    if (this.#files.has(path)) return
    const state = await stateOf(path)
    if (!this.#files.has(path)) this.#files.set(path, { told: state, seen: state })
  }

  /** Number of watched files. */
  get size(): number {
    return this.#files.size
  }

  /** Watches a file no longer. */
  remove(path: string): void {
    this.#files.delete(path)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#files.clear()
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const states = await Promise.all([...this.#files.keys()].map(async (path) => [path, await stateOf(path)] as const))
    this.#looking = false
    const changed = states.filter(([path, state]) => this.#isSettled(path, state)).map(([path]) => path)
    if (changed.length > 0) this.#changed(changed)
  }

  /** A file that is being written changes from look to look, and half of it must not count. */
  #isSettled(path: string, state: string): boolean {
    const file = this.#files.get(path)
    if (file === undefined) return false
    const settled = file.seen === state && file.told !== state
    file.seen = state
    if (settled) file.told = state
    return settled
  }
}

/** State of a file, which changes whenever the content may have. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}
