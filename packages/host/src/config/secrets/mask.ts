import { isDeepStrictEqual } from 'node:util'
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

/**
 * A value that a person changed while secrets in it were masked, with the secrets back in place; throws if a mask is left
 * whose secret is not known.
 */
export function unmasked(given: Value, kept: Value | undefined): Value {
  return unmaskedAt(given, kept === undefined ? undefined : maskedIn(kept), kept)
}

function unmaskedAt(given: Value, shown: Value | undefined, kept: Value | undefined): Value {
  if (Array.isArray(given)) {
    const [masks, secrets] = [shown, kept].map((one) => (Array.isArray(one) ? one : []))
    return given.map((item: Value, at) => {
      // an item may have moved
      const from = isDeepStrictEqual(item, masks?.[at]) ? at : (masks ?? []).indexOf(item)
      return unmaskedAt(item, masks?.[from], secrets?.[from])
    })
  }
  if (isTable(given)) {
    const inside = (value: Value | undefined, key: string) =>
      isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) => [key, unmaskedAt(inner, inside(shown, key), inside(kept, key))]),
    )
  }
  if (typeof given !== 'string' || !given.includes(mask)) return given
  if (given === shown && kept !== undefined) return kept
  throw new Error(`Cannot use "${given}": the stars stand for a secret that is not known here; write it out`)
}

/** Texts of a file with the secrets of these values replaced, so that they can be shown; the values are those in the texts. */
export function maskedTexts(texts: readonly string[], values: readonly Value[]): readonly string[] {
  const secrets = [...new Set(values.flatMap((value) => findLiterals('', value).map((one) => one.value)))]
  // a longer one may hold a shorter one
  const longest = secrets.sort((one, other) => other.length - one.length)
  return texts.map((text) =>
    longest.reduce((left, secret) => {
      const written = JSON.stringify(secret).slice(1, -1)
      return left.replaceAll(written, mask).replaceAll(secret, mask)
    }, text),
  )
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
