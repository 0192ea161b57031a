import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename, join } from 'node:path'

/** Folders in which nothing is written by hand. */
const ignored = new Set(['node_modules', 'dist', 'build', 'coverage', 'target', '__pycache__', 'venv'])
/** So many folders are watched; a system has no more to give without end. */
const maxFolders = 2_000
/** An editor that saves a file touches it several times. */
const settleMs = 150

/** Calls back with the name of what changed in files or folders, once for changes in a row, until it is disposed of. */
export class TreeWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #onChange: (path: string) => void
  readonly #maxFolders: number
  #timer: NodeJS.Timeout | undefined

  constructor(paths: readonly string[], onChange: (path: string) => void, most = maxFolders) {
    this.#onChange = onChange
    this.#maxFolders = most
    for (const path of paths) this.#watch(path)
  }

  /** Number of watched files and folders. */
  get size(): number {
    return this.#watchers.size
  }

  #watch(path: string): void {
    if (this.#watchers.has(path) || this.#watchers.size >= this.#maxFolders) return
    const isFolder = statSync(path).isDirectory()
    const watcher = watch(path, (_, name) => this.#changed(isFolder && name !== null ? join(path, name) : path))
    watcher.on('error', () => this.#forget(path))
    this.#watchers.set(path, watcher)
    if (!isFolder) return
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && !isIgnored(entry.name)) this.#watch(join(path, entry.name))
  }

  #changed(path: string): void {
    if (isIgnored(basename(path))) return
    try {
      if (statSync(path).isDirectory()) this.#watch(path)
    } catch {
      // it is gone, which is a change too
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(path), settleMs)
  }

  #forget(path: string): void {
    this.#watchers.get(path)?.close()
    this.#watchers.delete(path)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') || ignored.has(name) || name.endsWith('~') || name.endsWith('.swp')
}
