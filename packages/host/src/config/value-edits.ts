import { isDeepStrictEqual } from 'node:util'
import { type Edit, isTable, type Path, type Value } from './document/document.ts'

/** Edits that turn a value of a file into another, key by key, so that comments and all that stays the same stay. */
export function valueEdits(path: Path, before: Value | undefined, after: Value | undefined): readonly Edit[] {
  if (isDeepStrictEqual(before, after)) return []
  if (!isTable(before) || !isTable(after)) return [{ path, value: after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  const own = (table: { readonly [key: string]: Value }, key: string) =>
    Object.hasOwn(table, key) ? table[key] : undefined
  return [...keys].flatMap((key) => valueEdits([...path, key], own(before, key), own(after, key)))
}
