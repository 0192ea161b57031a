import { isTable, type Path, type Value } from '../document/document.ts'
import { isSecretName, type SecretSpan, secretByName, secretIn } from './looks-secret.ts'

/** A secret that stands in a server's entry as it is. */
export interface LiteralSecret extends SecretSpan {
  /** Path in the entry. */
  readonly path: Path
  readonly value: string
  /** The name under which it would be kept. */
  readonly name: string
}

/** Finds the secrets that an entry holds in its environment, headers, arguments and address. */
export function findLiterals(server: string, entry: Value): LiteralSecret[] {
  return textsIn(entry, []).flatMap(({ path, text, offset, name }) => {
    if (isReference(text)) return []
    const span = secretIn(text) ?? (name === undefined ? undefined : secretByName(name, text))
    if (span === undefined) return []
    const { start, end, why } = span
    const kept = `${server}.${(name ?? path.join('.')).replaceAll(/[^A-Za-z0-9_.-]+/g, '_')}`
    return [{ path, start: offset + start, end: offset + end, why, value: text.slice(start, end), name: kept }]
  })
}

/** The text with the secret replaced by a reference to it. */
export function withReference(text: string, { start, end, name }: LiteralSecret): string {
  if (start === 0 && end === text.length) return `secret:${name}`
  return `${text.slice(0, start)}\${secret:${name}}${text.slice(end)}`
}

/** True if a text refers to its value instead of holding it. */
export function isReference(text: string): boolean {
  return text.startsWith('secret:') || /^[^$]*\$\{[^}]*\}$/.test(text)
}

interface Found {
  readonly path: Path
  readonly text: string
  /** Start of the text in the value that holds it. */
  readonly offset: number
  /** Name that tells the kind of the text: its key, or the option in front of it. */
  readonly name: string | undefined
}

function textsIn(value: Value, path: Path): Found[] {
  if (typeof value === 'string') return [{ path, text: value, offset: 0, name: keyName(path) }]
  if (Array.isArray(value)) return value.flatMap((item, at) => argumentAt(value[at - 1], item, [...path, at]))
  if (!isTable(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
}

/** `--token=x` and `--token x` name their value, as `NAME=x` does behind `-e`. */
function argumentAt(before: Value | undefined, item: Value, path: Path): Found[] {
  if (typeof item !== 'string') return textsIn(item, path)
  const [, head = '', option = '', carried = ''] = /^((?:--?)?([A-Za-z][\w-]*)[=:](?!\/\/)\s*)(.+)$/s.exec(item) ?? []
  if (isSecretName(option)) return [{ path, text: carried, offset: head.length, name: option }]
  const named = typeof before === 'string' && !item.startsWith('-') && /^--?[A-Za-z][\w-]*$/.test(before)
  return [{ path, text: item, offset: 0, name: named ? before.replace(/^-+/, '') : undefined }]
}

function keyName(path: Path): string | undefined {
  const last = path.at(-1)
  return typeof last === 'string' ? last : undefined
}
