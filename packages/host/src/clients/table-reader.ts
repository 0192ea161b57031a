import {
  type Document,
  isTable,
  keyOf,
  type Path,
  type Table,
  type Value,
  valueAt,
} from '../config/document/document.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { FoundPlace } from './client-format.ts'

/** One table of a client's file, read key by key; unread keys are left over and named. */
export class TableReader {
  readonly place: FoundPlace
  /** Unsupported settings found in this table and those inside it. */
  readonly left: ConfigProblem[]
  readonly #document: Document
  readonly #path: Path
  readonly #table: Table
  readonly #asked = new Set<string>()

  constructor(document: Document, path: Path, left: ConfigProblem[] = []) {
    this.left = left
    this.#document = document
    this.#path = path
    const value = valueAt(document.value, path)
    this.#table = isTable(value) ? value : {}
    this.place = { file: document.file, line: document.lineOf(path) }
    if (value !== undefined && !isTable(value)) this.#leave(path, 'is no table', 'it is left out')
  }

  /** The value of a key, whatever it is. */
  value(key: string): Value | undefined {
    this.#asked.add(key)
    return Object.hasOwn(this.#table, key) ? this.#table[key] : undefined
  }

  text(key: string): string | undefined {
    const value = this.value(key)
    if (value === undefined || typeof value === 'string') return value
    this.#leave([...this.#path, key], 'is no text', 'it is left out')
    return undefined
  }

  number(key: string): number | undefined {
    const value = this.value(key)
    if (value === undefined || typeof value === 'number') return value
    this.#leave([...this.#path, key], 'is no number', 'it is left out')
    return undefined
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key)
    if (value === undefined || typeof value === 'boolean') return value
    this.#leave([...this.#path, key], 'is neither true nor false', 'it is left out')
    return undefined
  }

  /** A list of texts; numbers and flags in it become texts. */
  texts(key: string): readonly string[] | undefined {
    const value = this.value(key)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) {
      this.#leave([...this.#path, key], 'is no list', 'it is left out')
      return undefined
    }
    return value.flatMap((item: Value, at) => {
      const text = asText(item)
      if (text === undefined) this.#leave([...this.#path, key, at], 'is no text', 'it is left out')
      return text === undefined ? [] : [text]
    })
  }

  /** A table of texts; numbers and flags become texts, and a null means that the name has none. */
  map(key: string): { readonly [name: string]: string } | undefined {
    const value = this.value(key)
    if (value === undefined) return undefined
    if (!isTable(value)) {
      this.#leave([...this.#path, key], 'is no table', 'it is left out')
      return undefined
    }
    const entries = Object.entries(value).flatMap(([name, item]) => {
      const text = asText(item)
      if (text === undefined && item !== null) this.#leave([...this.#path, key, name], 'is no text', 'it is left out')
      return text === undefined ? [] : [[name, text] as const]
    })
    return Object.fromEntries(entries)
  }

  /** The fields of a table inside this one. */
  inner(key: string): TableReader {
    this.#asked.add(key)
    return new TableReader(this.#document, [...this.#path, key], this.left)
  }

  /** The names of the keys that are there. */
  keys(): readonly string[] {
    return Object.keys(this.#table)
  }

  /** Place of a key. */
  placeOf(...keys: Path): FoundPlace {
    return { file: this.#document.file, line: this.#document.lineOf([...this.#path, ...keys]) }
  }

  /** Names a key, or an item of its list, that means something there and nothing here. */
  leave(key: string | readonly [key: string, item: number], problem: string, fix: string): void {
    const keys = typeof key === 'string' ? [key] : key
    this.#asked.add(keys[0])
    this.#leave([...this.#path, ...keys], problem, fix)
  }

  /** Names all of the table. */
  leaveAll(problem: string, fix: string): void {
    this.#leave(this.#path, problem, fix)
  }

  /** Names every unread key. */
  leaveRest(): void {
    for (const key of this.keys()) {
      if (!this.#asked.has(key)) this.#leave([...this.#path, key], 'has no meaning here', 'it is left out')
    }
  }

  #leave(path: Path, problem: string, fix: string): void {
    this.left.push({ file: this.#document.file, line: this.#document.lineOf(path), key: keyOf(path), problem, fix })
  }
}

function asText(value: Value): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
