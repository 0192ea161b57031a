import type { ConfigProblem } from '../problem.ts'

/** The keys and indices that lead to a value. */
export type Path = readonly (string | number)[]

/** A value that every format can hold. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

/** A value with keys. */
export type Table = { readonly [key: string]: Value }

/** A configuration file that was read: its value, and where each part of it stands. */
export interface Document {
  readonly file: string
  readonly text: string
  /** An empty table when the text could not be read. */
  readonly value: Value
  /** Problems that kept it from being read whole. */
  readonly problems: readonly ConfigProblem[]
  /** The line of the key, or of the nearest one above it that is there; counted from 1. */
  lineOf(path: Path): number
}

/** One change to a file: a value put in place or taken away, or one more at the end of a list. */
export type Edit =
  | { readonly path: Path; readonly value: Value | undefined }
  | { readonly path: Path; readonly append: Value }

/** A larger file is no configuration that people edit. */
export const maxFileBytes = 64 * 1024 ** 2

/** Keys as people write them: `mcpServers.github.env`. */
export function keyOf(path: Path): string {
  return path.map((part) => (/[.\s]/.test(`${part}`) ? JSON.stringify(part) : part)).join('.')
}

/** True if a value has keys. */
export function isTable(value: Value | undefined): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value that keys and indices lead to; undefined when there is none. */
export function valueAt(value: Value | undefined, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((inner, part) => {
    if (Array.isArray(inner)) return typeof part === 'number' ? inner[part] : undefined
    return isTable(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined
  }, value)
}
