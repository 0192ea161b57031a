import { isTable, type Path, type Table, type Value } from './document.ts'

/** A key as TOML writes it. */
export function renderKey(path: Path): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(`${part}`) ? part : renderText(`${part}`))).join('.')
}

/** A value on one line. */
export function renderValue(value: Value): string {
  if (value === null) throw new Error('Cannot write null: TOML has no such value, leave the key out')
  if (typeof value === 'string') return renderText(value)
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  if (!isTable(value)) return String(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${renderKey([key])} = ${renderValue(inner)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

/** A table with its header; the tables in it follow under headers of their own. */
export function renderTable(path: Path, table: Table, lineEnd: string): string {
  const entries = Object.entries(table)
  const own = entries.filter(([, value]) => !isTable(value))
  const inner = entries.filter((entry): entry is [string, Table] => isTable(entry[1]))
  const lines = [`[${renderKey(path)}]`, ...own.map(([key, value]) => `${renderKey([key])} = ${renderValue(value)}`)]
  const head = own.length > 0 || inner.length === 0 ? [lines.map((line) => line + lineEnd).join('')] : []
  return [...head, ...inner.map(([key, value]) => renderTable([...path, key], value, lineEnd))].join(lineEnd)
}

/** JSON writes text as TOML reads it, but for the characters that TOML forbids. */
function renderText(text: string): string {
  return JSON.stringify(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('\u007F', '\\u007F')
}
