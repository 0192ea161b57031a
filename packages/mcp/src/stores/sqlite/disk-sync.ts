import { closeSync, fdatasync, openSync } from 'node:fs'

/** Syncs commits to disk; concurrent callers share one sync, which does not block the process. */
export class DiskSync {
  readonly #path: string
  #descriptor: number | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** `path` is the file that commits are appended to. */
  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when everything that was committed before would survive a power failure. */
  synced(): Promise<void> {
    if (!this.#running) return this.#run()
    // what runs already may have missed the last commit
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#run()
      })
    return this.#next
  }

  /** Waits for pending work and closes the file. */
  async close(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #run(): Promise<void> {
    const running = new Promise<void>((resolve, reject) => {
      this.#descriptor ??= openSync(this.#path, 'r+')
      fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()))
    }).finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
