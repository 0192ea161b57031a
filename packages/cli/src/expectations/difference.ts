import { redact } from '@trunkline/host/text'
import type { Fields } from '@trunkline/mcp/client'
import { visibleJson } from '../output/json.ts'

/** First difference between two results, in words; members about a result rather than in it are not compared. */
export function differenceFrom(expected: Fields, result: Fields): string | undefined {
  // secrets are not in a recording
  return differing(compared(redact(expected) as Fields), compared(redact(result) as Fields), '')
}

/** Members of any result that say how it travels, how long it may be kept, and where it goes on. */
const notCompared = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope', 'nextCursor'])

function compared(result: Fields): Fields {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !notCompared.has(name)))
}

function differing(expected: unknown, value: unknown, path: string): string | undefined {
  if (isMany(expected) && isMany(value) && Array.isArray(expected) === Array.isArray(value)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(value)])) {
      const inner = Array.isArray(expected) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      const found = differing(expected[name], value[name], inner)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (Object.is(expected, value)) return undefined
  if (value === undefined) return `${path} is missing; it was ${shortened(expected)}`
  if (expected === undefined) return `${path} is new: ${shortened(value)}`
  return `${path} is ${shortened(value)}, not ${shortened(expected)}`
}

function isMany(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}

const mostShown = 120

function shortened(value: unknown): string {
  const text = visibleJson(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}
