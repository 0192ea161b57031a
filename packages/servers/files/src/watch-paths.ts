import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** State of a watched path: of a directory, of each of its entries as well. */
type Look = ReadonlyMap<string, string>

/** Looks at files and directories again and again while they are watched. */
export class PathWatch {
  readonly #changed: (path: string) => void
  readonly #everyMs: number
  readonly #maxPaths: number
  readonly #paths = new Map<string, { watchers: number; look: Look }>()
  #timer: NodeJS.Timeout | undefined

  constructor(changed: (path: string) => void, options: { readonly everyMs: number; readonly maxPaths: number }) {
    this.#changed = changed
    this.#everyMs = options.everyMs
    this.#maxPaths = options.maxPaths
  }

  /** Number of watched paths. */
  get size(): number {
    return this.#paths.size
  }

  /** Begins to look at a path; returns what ends that. Beyond the limit nothing is looked at. */
  add(path: string): () => void {
    const known = this.#paths.get(path)
    if (known === undefined && this.#paths.size >= this.#maxPaths) return () => {}
    // at once, so that no change after this call is missed
    const watched = known ?? { watchers: 0, look: firstLook(path) }
    watched.watchers++
    this.#paths.set(path, watched)
    this.#timer ??= setInterval(() => void this.#lookAgain(), this.#everyMs).unref()
    let isOver = false
    return () => {
      if (!isOver) this.#remove(path)
      isOver = true
    }
  }

  #remove(path: string): void {
    const watched = this.#paths.get(path)
    if (watched !== undefined && --watched.watchers === 0) this.#paths.delete(path)
    if (this.#paths.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #lookAgain(): Promise<void> {
    for (const [path, watched] of this.#paths) {
      const { look: before } = watched
      const look = await lookAt(path)
      watched.look = look
      for (const one of new Set([...before.keys(), ...look.keys()])) {
        if (before.get(one) !== look.get(one)) this.#changed(one)
      }
    }
  }
}

/** More entries of a directory than this are not looked at. */
const maxEntries = 1_000

async function lookAt(path: string): Promise<Look> {
  const names = await readdir(path).catch(() => [])
  const paths = [path, ...names.slice(0, maxEntries).map((name) => join(path, name))]
  const states = await Promise.all(
    paths.map(async (one) => [one, await lstat(one, { bigint: true }).then(stateOf, () => '')] as const),
  )
  return new Map(states)
}

function firstLook(path: string): Look {
  const names = orElse(() => readdirSync(path), [])
  const paths = [path, ...names.slice(0, maxEntries).map((name) => join(path, name))]
  return new Map(paths.map((one) => [one, orElse(() => stateOf(lstatSync(one, { bigint: true })), '')]))
}

function stateOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`
}

function orElse<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}
