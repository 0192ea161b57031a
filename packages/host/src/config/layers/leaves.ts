import { isTable, type Path, type Value } from '../document/document.ts'

/** The settings of a layer as single values; lists and empty tables are single values. */
export function leaves(value: Value, path: Path = []): { readonly path: Path; readonly value: Value }[] {
  if (!isTable(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}
