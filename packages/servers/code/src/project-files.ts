import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languageOf } from './languages.ts'

/** Folders of generated files and of other people's code. */
const skipped = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', '.venv', 'venv', '__pycache__', '.tox', '.cache'],
  ...['dist', 'build', 'coverage', 'target', 'vendor'],
])

/** A file that was made, changed or removed since the last look; numbers as the Language Server Protocol has them. */
export interface DiskChange {
  readonly path: string
  readonly type: 1 | 2 | 3
}

/** Files of a project that are in a known language. */
export class ProjectFiles {
  readonly #root: string
  readonly #languages: readonly Language[]
  readonly #maxFiles: number
  #files: ReadonlyMap<string, string> | undefined
  #isCut = false

  constructor(root: string, languages: readonly Language[], maxFiles: number) {
    this.#root = root
    this.#languages = languages
    this.#maxFiles = maxFiles
  }

  /** True if the project has more files than are looked at. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Paths of the files of a language, or of all languages, in order. */
  async paths(language?: Language): Promise<readonly string[]> {
    if (this.#files === undefined) await this.look()
    const all = [...(this.#files?.keys() ?? [])]
    return language === undefined
      ? all
      : all.filter((path) => languageOf(this.#languages, path)?.name === language.name)
  }

  /** Looks at the files, and tells which changed since the last look; the first look tells none. */
  async look(): Promise<readonly DiskChange[]> {
    const before = this.#files
    const now = await this.#walk()
    this.#files = now
    if (before === undefined) return []
    const made = [...now].flatMap(([path, state]): DiskChange[] => {
      const known = before.get(path)
      if (known === state) return []
      return [{ path, type: known === undefined ? 1 : 2 }]
    })
    const removed = [...before.keys()].filter((path) => !now.has(path))
    return [...made, ...removed.map((path): DiskChange => ({ path, type: 3 }))]
  }

  async #walk(): Promise<Map<string, string>> {
    const found: string[] = []
    const waiting = [this.#root]
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const inner: string[] = []
      for (const entry of await entriesOf(folder)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory() && !skipped.has(entry.name)) inner.push(path)
        else if (entry.isFile() && languageOf(this.#languages, path) !== undefined) found.push(path)
      }
      this.#isCut = found.length > this.#maxFiles
      if (this.#isCut) break
      waiting.push(...inner.reverse())
    }
    const states = await Promise.all(found.slice(0, this.#maxFiles).map(async (path) => [path, await stateOf(path)]))
    return new Map(states.filter(([, state]) => state !== '') as [string, string][])
  }
}

/** A folder that cannot be read has no files for us. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function stateOf(path: string): Promise<string> {
  const state = await lstat(path, { bigint: true }).catch(() => undefined)
  return state === undefined ? '' : `${state.ino} ${state.size} ${state.mtimeNs}`
}
