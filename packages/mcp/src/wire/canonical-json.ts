import { McpError } from './errors.ts'

/** Bounds of {@link canonicalJson}. */
export interface CanonicalOptions {
  /** The deepest nesting of arrays and objects. @default 256 */
  readonly maxDepth?: number
}

const defaults = { maxDepth: 256 } as const satisfies Required<CanonicalOptions>

/** The canonical JSON of a value by RFC 8785: sorted keys, no white space. */
export function canonicalJson(value: unknown, { maxDepth = defaults.maxDepth }: CanonicalOptions = {}): string {
  const text = write(value, maxDepth)
  if (text === undefined) throw new McpError('Misuse', `Cannot write ${typeof value} as JSON: it has no JSON form`)
  return text
}

/** Writes like `JSON.stringify`: undefined for values that objects leave out. */
function write(value: unknown, depthLeft: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (hasToJson(value)) return writePlain(value.toJSON(), depthLeft)
  return writePlain(value, depthLeft)
}

function writePlain(plain: unknown, depthLeft: number): string | undefined {
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain)
  if (depthLeft === 0) throw new McpError('TooLarge', 'Cannot write value as JSON: it is nested too deeply')
  if (Array.isArray(plain)) return `[${Array.from(plain, (item) => write(item, depthLeft - 1) ?? 'null').join()}]`
  let members = ''
  for (const key of sortedKeys(plain)) {
    const text = write((plain as { readonly [key: string]: unknown })[key], depthLeft - 1)
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${text}`
  }
  return `{${members}}`
}

// strings sort by UTF-16 units, which is the order of RFC 8785; most objects have few keys, often in order
function sortedKeys(plain: object): readonly string[] {
  const keys = Object.keys(plain)
  for (let at = 1; at < keys.length; at++) if ((keys[at - 1] as string) > (keys[at] as string)) return keys.sort()
  return keys
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
