import { isTable, type Path, type Value, valueAt } from '../document/document.ts'
import type { ServerEntry } from '../schema/server-entry.ts'
import { findLiterals, type LiteralSecret, withReference } from './find-literals.ts'

/** A secret to keep, and the name that an entry refers to it by. */
export interface KeptSecret {
  readonly name: string
  readonly value: string
}

/** An entry of a server that refers to its secrets, and the secrets; those that stood in the entry before stay there. */
export function secretsApart(
  server: string,
  entry: ServerEntry,
  before?: Value,
): { readonly entry: ServerEntry; readonly secrets: readonly KeptSecret[] } {
  const isNew = ({ path }: LiteralSecret) => valueAt(before, path) !== valueAt(entry as Value, path)
  const found = findLiterals(server, entry as Value).filter(isNew)
  return { entry: withReferences(entry, found), secrets: found.map(({ name, value }) => ({ name, value })) }
}

/** An entry with references in place of the secrets that were found in it. */
export function withReferences(entry: ServerEntry, secrets: readonly LiteralSecret[]): ServerEntry {
  return secrets.reduce<Value>((value, secret) => {
    const text = valueAt(value, secret.path)
    return typeof text === 'string' ? replaceAt(value, secret.path, withReference(text, secret)) : value
  }, entry as Value) as ServerEntry
}

function replaceAt(value: Value, [key, ...rest]: Path, text: string): Value {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((item: Value, at) => (at === key ? replaceAt(item, rest, text) : item))
  return isTable(value) ? { ...value, [key]: replaceAt(value[key] ?? '', rest, text) } : value
}
