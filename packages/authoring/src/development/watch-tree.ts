import { readdirSync, statSync, watch } from 'node:fs'
import { basename, join } from 'node:path'

/** Folders in which nothing is written by hand. */
const ignored = new Set(['node_modules', 'dist', 'build', 'coverage', 'target', '__pycache__', 'venv'])

/** Tells of changes in one file or folder. */
export interface EventSource {
  on(event: 'error', listener: () => void): unknown
  close(): void
}

/** Options of a watch. */
export interface TreeWatchOptions {
  /** Number of watched files and folders; a system has no more to give without end. @default 2_000 */
  readonly maxFolders?: number
  /** Begins to tell of changes, by the name of the entry where the system tells it. @default `watch` of Node */
  readonly open?: (path: string, listener: (kind: string, name: string | null) => void) => EventSource
}

const defaults = { maxFolders: 2_000, open: watch } as const satisfies TreeWatchOptions
/** An editor that saves a file touches it several times. */
const settleMs = 150

/**
 * Calls back with the name of what changed in files or folders, once for changes in a row, until it is disposed of.
 * Systems join events and name the folder instead of the file, so that an event only says where to look.
 */
export class TreeWatch implements Disposable {
  /** By path, with what tells a file from another one of the same name: one that was replaced is watched anew. */
  readonly #sources = new Map<string, { readonly source: EventSource; readonly file: string }>()
  readonly #onChange: (path: string) => void
  readonly #options: Required<TreeWatchOptions>
  #timer: NodeJS.Timeout | undefined

  constructor(paths: readonly string[], onChange: (path: string) => void, options: TreeWatchOptions = {}) {
    this.#onChange = onChange
    this.#options = { ...defaults, ...options }
    for (const path of paths) this.#watch(path)
  }

  /** Number of watched files and folders. */
  get size(): number {
    return this.#sources.size
  }

  #watch(path: string): void {
    const stats = statSync(path)
    const isFolder = stats.isDirectory()
    // a number may be given again at once
    const file = `${stats.ino} ${stats.birthtimeMs}`
    if (this.#sources.get(path)?.file !== file) {
      this.#forget(path)
      if (this.#sources.size >= this.#options.maxFolders) return
      const source = this.#options.open(path, (_, name) => this.#changed(isFolder ? entryOf(path, name) : path))
      source.on('error', () => this.#forget(path))
      this.#sources.set(path, { source, file })
    }
    if (!isFolder) return
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && !isIgnored(entry.name)) this.#watch(join(path, entry.name))
  }

  #changed(path: string): void {
    if (!this.#sources.has(path) && isIgnored(basename(path))) return
    try {
      if (this.#sources.has(path) || statSync(path).isDirectory()) this.#watch(path)
    } catch {
      // it is gone, which is a change too
      this.#forget(path)
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(path), settleMs)
  }

  /** Stops to watch a path and all below it. */
  #forget(path: string): void {
    for (const [one, { source }] of this.#sources) {
      if (one !== path && !one.startsWith(join(path, '/'))) continue
      source.close()
      this.#sources.delete(one)
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    for (const { source } of this.#sources.values()) source.close()
    this.#sources.clear()
  }
}

/** The entry of a folder that an event is about; some systems name the folder itself, or nothing. */
function entryOf(folder: string, name: string | null): string {
  return name === null || name === '' || name === basename(folder) ? folder : join(folder, name)
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') || ignored.has(name) || name.endsWith('~') || name.endsWith('.swp')
}
