import { type FSWatcher, statSync, watch } from 'node:fs'

/** A directory that is watched, and what tells it from a later one of the same name. */
interface Watched {
  readonly watcher: Pick<FSWatcher, 'close'>
  readonly directory: string
}

/** Tells of changes in directories, each watched by itself, so that links lead nowhere and no change is missed in new ones. */
export class FolderWatchers {
  readonly #watchers = new Map<string, Watched>()
  readonly #changed: () => void
  readonly #failed: (error: Error) => void

  constructor(changed: () => void, failed: (error: Error) => void) {
    this.#changed = changed
    this.#failed = failed
  }

  /** Begins to watch a directory, unless it is watched already; one that was replaced is watched anew. */
  add(path: string): void {
    try {
      const { ino, birthtimeMs } = statSync(path)
      const directory = `${ino} ${birthtimeMs}`
      if (this.#watchers.get(path)?.directory === directory) return
      this.#drop(path)
      // the watcher must not keep the process alive
      const watcher = watch(path, { persistent: false }, this.#changed)
      this.#watchers.set(path, { watcher, directory })
      watcher.on('error', () => this.#drop(path))
    } catch (error) {
      // a directory that is gone by now is told of by the one above it
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#failed(error as Error)
    }
  }

  /** Stops to watch all directories but these. */
  keep(paths: ReadonlySet<string>): void {
    for (const path of this.#watchers.keys()) if (!paths.has(path)) this.#drop(path)
  }

  get size(): number {
    return this.#watchers.size
  }

  close(): void {
    this.keep(new Set())
  }

  #drop(path: string): void {
    this.#watchers.get(path)?.watcher.close()
    this.#watchers.delete(path)
  }
}
