import { readFile } from 'node:fs/promises'
import type { Document } from './document/document.ts'
import { readJson } from './document/json.ts'
import type { ConfigProblem } from './problem.ts'

/** One file of the configuration; when it breaks, what it said before goes on to count. */
export class ConfigFile {
  readonly path: string
  #good: Document
  #problem: readonly ConfigProblem[] = []
  #loaded = false

  constructor(path: string) {
    this.path = path
    this.#good = readJson(path, '')
  }

  /** What counts of it. */
  get document(): Document {
    return this.#good
  }

  /** What is wrong with it now; empty when it could be read whole. */
  get problems(): readonly ConfigProblem[] {
    return this.#problem
  }

  /** Whether what counts was taken from a broken text, so that something may be missing. */
  get isPartial(): boolean {
    return !this.#loaded && this.#problem.length > 0
  }

  /** Reads it again; a file that is not there says nothing. */
  async load(): Promise<void> {
    const { text, code } = await readText(this.path)
    if (code !== undefined) {
      const fix = `make it readable for you; ${this.#loaded ? 'what it said before still counts' : 'it is left out until then'}`
      this.#problem = [{ file: this.path, line: 1, key: '', problem: `cannot be read (${code})`, fix }]
      return
    }
    const read = readJson(this.path, text)
    const syntax = read.problems
    // what was understood of a broken file counts only while there is nothing better
    if (syntax.length === 0 || !this.#loaded) this.#good = { ...read, problems: [] }
    this.#problem = syntax.map((one) =>
      this.#loaded ? { ...one, fix: `${one.fix}; what the file said before still counts` } : one,
    )
    if (syntax.length === 0) this.#loaded = true
  }
}

async function readText(path: string): Promise<{ text: string; code?: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    return code === 'ENOENT' || code === 'ENOTDIR' ? { text: '' } : { text: '', code }
  }
}
