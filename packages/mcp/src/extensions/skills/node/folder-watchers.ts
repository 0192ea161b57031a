import { type FSWatcher, watch } from 'node:fs'

/** Tells of changes in directories, each watched by itself, so that links lead nowhere and no change is missed in new ones. */
export class FolderWatchers {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #changed: () => void
  readonly #failed: (error: Error) => void

  constructor(changed: () => void, failed: (error: Error) => void) {
    this.#changed = changed
    this.#failed = failed
  }

  /** Begins to watch a directory, unless it is watched already. */
  add(path: string): void {
    if (this.#watchers.has(path)) return
    try {
      // the watcher must not keep the process alive
      const watcher = watch(path, { persistent: false }, this.#changed)
      this.#watchers.set(path, watcher)
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
    this.#watchers.get(path)?.close()
    this.#watchers.delete(path)
  }
}
