import { basename } from 'node:path'
import type { GitSetup } from './git-setup.ts'
import { openRepository } from './repository.ts'
import { gitUri } from './shown.ts'
import { readStatus } from './status.ts'

const unknown = 'not looked at yet'

/** Looks at the status of repositories again and again while clients are subscribed to it; each hears once at the start. */
export class StatusWatch {
  readonly #setup: GitSetup
  readonly #changed: (uri: string) => void
  readonly #everyMs: number
  readonly #watched = new Map<string, { watchers: number; path: string; last: string | undefined }>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(setup: GitSetup, changed: (uri: string) => void, everyMs: number) {
    this.#setup = setup
    this.#changed = changed
    this.#everyMs = everyMs
  }

  /** Number of watched addresses. */
  get size(): number {
    return this.#watched.size
  }

  /** Begins to look at those of the addresses that are a status; returns what ends that. */
  add(uris: readonly string[]): () => void {
    const added: string[] = []
    let isOver = false
    const adding = this.#setup.repositories().then((paths) => {
      for (const path of paths) {
        const uri = gitUri({ name: basename(path) }, 'status')
        if (isOver || !uris.includes(uri)) continue
        const known = this.#watched.get(uri) ?? { watchers: 0, path, last: unknown }
        known.watchers++
        this.#watched.set(uri, known)
        added.push(uri)
      }
      if (this.#watched.size > 0) this.#timer ??= setInterval(() => void this.#lookAgain(), this.#everyMs).unref()
    })
    return () => {
      isOver = true
      void adding.then(() => this.#remove(added.splice(0)))
    }
  }

  #remove(uris: readonly string[]): void {
    for (const uri of uris) {
      const watched = this.#watched.get(uri)
      if (watched !== undefined && --watched.watchers === 0) this.#watched.delete(uri)
    }
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #lookAgain(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (const [uri, watched] of this.#watched) {
      const look = await this.#look(watched.path)
      // the first look comes after the subscription: whatever changed between them is told by it
      if (look !== watched.last) this.#changed(uri)
      watched.last = look
    }
    this.#isLooking = false
  }

  // a repository that is gone or refused has no status; that is a change too
  async #look(path: string): Promise<string | undefined> {
    const { folders, limits } = this.#setup
    return openRepository({ folders, base: path }, path, { limits })
      .then(readStatus)
      .then(
        (status) => JSON.stringify(status),
        () => undefined,
      )
  }
}
