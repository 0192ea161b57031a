import { readFile } from 'node:fs/promises'
import { type Document, isTable } from './document/document.ts'
import { readJson } from './document/json.ts'
import type { ConfigProblem } from './problem.ts'
import { settings } from './schema/settings.ts'

/** One file of the configuration; when it breaks, its last good content goes on to count. */
export class ConfigFile {
  readonly path: string
  #good: Document
  #problem: readonly ConfigProblem[] = []
  #loaded = false
  #begun = 0
  /** Number of the newest reading that has ended. */
  #ended = 0

  constructor(path: string) {
    this.path = path
    this.#good = readJson(path, '')
  }

  /** The last good reading, which counts. */
  get document(): Document {
    return this.#good
  }

  /** Current problems; empty when it could be read whole. */
  get problems(): readonly ConfigProblem[] {
    return this.#problem
  }

  /** True if the reading is of a broken text, so that something may be missing. */
  get isPartial(): boolean {
    return !this.#loaded && this.#problem.length > 0
  }

  /** Reads it again; a file that is not there says nothing. */
  async load(): Promise<void> {
    const reading = ++this.#begun
    const { text, code } = await readText(this.path)
    // an older reading that took longer may hold what was there before
    if (reading < this.#ended) return
    this.#ended = reading
    if (code !== undefined) {
      const fix = `make it readable for you; ${this.#loaded ? 'what it said before still counts' : 'it is left out until then'}`
      this.#problem = [{ file: this.path, line: 1, key: '', problem: `cannot be read (${code})`, fix }]
      return
    }
    const read = readJson(this.path, text)
    const { value } = read
    const problems = isTable(value) ? read.problems : [noTable(read)]
    // the readable part of a broken file counts only while there is nothing better
    if (problems.length === 0 || !this.#loaded) {
      this.#good = { ...read, value: isTable(value) ? value : {}, problems: [] }
    }
    this.#problem = problems.map((one) =>
      this.#loaded ? { ...one, fix: `${one.fix}; what the file said before still counts` } : one,
    )
    if (problems.length === 0) this.#loaded = true
  }
}

/** A list, or a text alone, says nothing that could be told apart from a mistake. */
function noTable({ file, value }: Document): ConfigProblem {
  let problem: ConfigProblem = { file, line: 1, key: '', problem: 'holds no settings', fix: 'write a table in braces' }
  settings.check(value, [], (misfit) => {
    problem = { ...problem, problem: misfit.problem, fix: misfit.fix }
  })
  return problem
}

async function readText(path: string): Promise<{ text: string; code?: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    return code === 'ENOENT' || code === 'ENOTDIR' ? { text: '' } : { text: '', code }
  }
}
