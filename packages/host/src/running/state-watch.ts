import { access } from 'node:fs/promises'
import type { Places } from '../config/places.ts'
import type { Store } from '../store/store.ts'
import { runningFile } from './running-file.ts'

export interface StateWatchOptions {
  readonly store: Pick<Store, 'isInPlace'>
  readonly places: Places
  /** Interval of the check, in milliseconds. */
  readonly everyMs: number
  /** The store was deleted or replaced: nothing that is decided or recorded would be kept. */
  onGone(): void
  /** The file by which commands find the host was deleted. */
  onUnlisted(): Promise<void>
}

/** Watches the files that a running host depends on. */
export class StateWatch implements Disposable {
  readonly #options: StateWatchOptions
  readonly #timer: NodeJS.Timeout
  #isLooking = false
  #wasListed = true

  constructor(options: StateWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), options.everyMs)
    this.#timer.unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { store, places, onGone, onUnlisted } = this.#options
    if (store.isInPlace()) {
      const isListed = await exists(runningFile(places))
      // missing twice: while a folder is being deleted nothing is written into it
      const isUnlisted = !isListed && !this.#wasListed
      this.#wasListed = isListed
      if (isUnlisted && store.isInPlace()) await onUnlisted()
    } else {
      this[Symbol.dispose]()
      onGone()
    }
    this.#isLooking = false
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
