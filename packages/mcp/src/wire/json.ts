import { ParseError, RpcError } from './errors.ts'

/** Limits of JSON. */
export interface JsonLimits {
  /** The depth of arrays and objects. @default 64 */
  readonly maxDepth: number
  /** Object members in the whole text. @default 100_000 */
  readonly maxKeys: number
  /** Array elements in the whole text. @default 1_000_000 */
  readonly maxElements: number
}

export const jsonLimits = { maxDepth: 64, maxKeys: 100_000, maxElements: 1_000_000 } as const satisfies JsonLimits

// even hostile text of this length is cheap to parse
const shortText = 16_384

/** Parses JSON as `JSON.parse` does, but refuses duplicate keys and whatever exceeds the limits. */
export function parseJson(text: string, limits: JsonLimits = jsonLimits): unknown {
  const counted = text.length > shortText ? countKeys(text, limits) : undefined
  const value = parse(text)
  const keys = membersOf(value, limits)
  // a duplicate key counts twice in the text, and once in the value
  const agree = keys === (counted ?? colons(text)) || keys === (counted ?? countKeys(text, limits))
  if (!agree) refuseDuplicate(text)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new RpcError(ParseError, `Cannot read JSON: ${(error as Error).message}`, { reason: 'syntax' })
  }
}

// of the value that is counted at this moment: an object for each message would cost more than the counting
let keys = 0
let elements = 0

/** Counts the object members of a parsed value, and refuses what exceeds a limit. */
function membersOf(value: unknown, limits: JsonLimits): number {
  keys = 0
  elements = 0
  if (typeof value === 'object' && value !== null) count(value, 1, limits)
  return keys
}

// recursion is bounded by the depth limit
function count(value: object, depth: number, limits: JsonLimits): void {
  if (depth > limits.maxDepth) refuse('depth', limits)
  if (Array.isArray(value)) {
    elements += value.length
    if (elements > limits.maxElements) refuse('elements', limits)
    for (const element of value) if (typeof element === 'object' && element !== null) count(element, depth + 1, limits)
    return
  }
  for (const key in value) {
    keys++
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && member !== null) count(member, depth + 1, limits)
  }
  if (keys > limits.maxKeys) refuse('keys', limits)
}

/** All colons, also those in strings: quick, and exact for most messages. */
function colons(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count++
  return count
}

/** Counts the keys of a text before it is parsed; stops when a limit is exceeded. */
function countKeys(text: string, limits: JsonLimits): number {
  let keys = 0
  let commas = 0
  let opened = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = closingQuote(text, at)
    } else if (code === colon) {
      if (++keys > limits.maxKeys) refuse('keys', limits)
    } else if (code === comma) {
      if (++commas - keys > limits.maxElements) refuse('elements', limits)
    } else if (code === openBracket || code === openBrace) {
      if (++depth > limits.maxDepth) refuse('depth', limits)
      // every value but the outermost belongs to a key or is an element
      if (++opened - keys > limits.maxElements + 1) refuse('elements', limits)
    } else if (code === closeBracket || code === closeBrace) {
      depth--
    }
  }
  return keys
}

const [quote, colon, comma, backslash] = [0x22, 0x3a, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let start = at
    while (text.charCodeAt(start - 1) === backslash) start--
    if ((at - start) % 2 === 0) return at
  }
  return text.length
}

/** Finds the duplicate key in a valid text; slow, and used only when there is one. */
function refuseDuplicate(text: string): void {
  const seen: Set<string>[] = []
  let string = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = closingQuote(text, at)
      string = text.slice(at, end + 1)
      at = end
    } else if (char === '{') {
      seen.push(new Set())
    } else if (char === '}') {
      seen.pop()
    } else if (char === ':') {
      const key: string = JSON.parse(string)
      const keys = seen.at(-1)
      if (keys?.has(key)) {
        const shown = key.slice(0, 64)
        const message = `Cannot read JSON: key ${JSON.stringify(shown)} appears twice`
        throw new RpcError(ParseError, message, { reason: 'duplicate', key: shown })
      }
      keys?.add(key)
    }
  }
}

const excess = {
  depth: { name: 'maxDepth', unit: 'levels' },
  keys: { name: 'maxKeys', unit: 'keys' },
  elements: { name: 'maxElements', unit: 'array elements' },
} as const

function refuse(reason: keyof typeof excess, limits: JsonLimits): never {
  const { name, unit } = excess[reason]
  const limit = limits[name]
  throw new RpcError(ParseError, `Cannot read JSON: more than ${limit} ${unit}`, { reason, limit })
}
