import type { Path, Value } from '../document/document.ts'
import { isTable } from '../document/document.ts'
import { findLiterals, type LiteralSecret } from './find-literals.ts'

const mask = '********'

/** A setting with the secrets in it replaced, so that it can be shown. */
export function maskSecrets(path: Path, value: Value): Value {
  const key = path.at(-1)
  if (typeof key !== 'string') return maskedIn(value)
  const masked = maskedIn({ [key]: value })
  return isTable(masked) ? (masked[key] ?? null) : masked
}

/** All of an entry with the secrets in it replaced, so that it can be shown. */
export function maskedIn(value: Value): Value {
  const literals = findLiterals('', value)
  return replaceAt(value, [], literals)
}

function replaceAt(value: Value, path: Path, literals: readonly LiteralSecret[]): Value {
  if (Array.isArray(value)) return value.map((item, at) => replaceAt(item, [...path, at], literals))
  if (isTable(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, replaceAt(inner, [...path, key], literals)]),
    )
  }
  if (typeof value !== 'string') return value
  const found = literals.find(
    (one) => one.path.length === path.length && one.path.every((part, at) => part === path[at]),
  )
  return found === undefined ? value : value.slice(0, found.start) + mask + value.slice(found.end)
}
