import type { Fields } from '@trunkline/mcp'

/** One difference between the definition a person accepted and the one offered now. */
export interface Difference {
  /** Place, as a JSON Pointer. */
  readonly at: string
  readonly before: unknown
  readonly after: unknown
  /** Meaning for the callers of the tool. */
  readonly meaning: 'text' | 'wider input' | 'narrower input' | 'output' | 'hint' | 'other'
  /** A sentence for a person. */
  readonly why: string
}

/** A definition with more differences is another definition. */
const maxDifferences = 200
const maxDepth = 64

/** Every difference between two definitions, in the order of the accepted one. */
export function definitionDiff(accepted: Fields, offered: Fields): readonly Difference[] {
  return [...differences(accepted, offered, [], maxDepth)].slice(0, maxDifferences)
}

function* differences(
  before: unknown,
  after: unknown,
  path: readonly string[],
  depthLeft: number,
): Generator<Difference> {
  if (Object.is(before, after)) return
  if (depthLeft > 0 && isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    // a list of words, such as "required" or "enum", is compared as a set
    if (Array.isArray(before) && isWords(before) && isWords(after as unknown as unknown[])) {
      yield* differentWords(before as string[], after as unknown as string[], path)
      return
    }
    const [one, other] =
      isAddressed(before) && isAddressed(after) ? [byAddress(before), byAddress(after)] : [before, after]
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      yield* differences(member(one, key), member(other, key), [...path, key], depthLeft - 1)
    }
    return
  }
  yield difference(path, before, after)
}

function* differentWords(
  before: readonly string[],
  after: readonly string[],
  path: readonly string[],
): Generator<Difference> {
  for (const word of before) if (!after.includes(word)) yield difference([...path, word], word, undefined)
  for (const word of after) if (!before.includes(word)) yield difference([...path, word], undefined, word)
}

function difference(path: readonly string[], before: unknown, after: unknown): Difference {
  const at = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const meaning = meaningOf(path, before, after)
  return { at, before, after, meaning, why: `${at} ${wordingOf(before, after)}` }
}

function wordingOf(before: unknown, after: unknown): string {
  if (before === undefined) return 'is new'
  return after === undefined ? 'is gone' : 'changed'
}

/** Keywords that a schema has more of the narrower it is. */
const limiting: ReadonlySet<string> = new Set([
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'const',
  'type',
  'multipleOf',
  'maxProperties',
  'minProperties',
  'not',
])

function meaningOf(path: readonly string[], before: unknown, after: unknown): Difference['meaning'] {
  const [top] = path
  const keyword = path.at(-1) ?? ''
  if (['description', 'title', '$comment', 'examples'].includes(keyword)) return 'text'
  if (top === 'annotations' || top === 'icons' || top === '_meta' || top === 'execution') return 'hint'
  if (top === 'outputSchema') return 'output'
  if (top !== 'inputSchema') return 'other'
  const parent = path.at(-2)
  const isGone = after === undefined
  if (parent === 'required') return isGone ? 'wider input' : 'narrower input'
  if (parent === 'enum') return isGone ? 'narrower input' : 'wider input'
  if (parent === 'properties') return isGone ? 'narrower input' : 'wider input'
  if (keyword === 'additionalProperties') return after === false ? 'narrower input' : 'wider input'
  if (limiting.has(keyword) && (before === undefined || isGone)) return isGone ? 'wider input' : 'narrower input'
  if (keyword.startsWith('max') && typeof before === 'number' && typeof after === 'number') {
    return after > before ? 'wider input' : 'narrower input'
  }
  if (keyword.startsWith('min') && typeof before === 'number' && typeof after === 'number') {
    return after < before ? 'wider input' : 'narrower input'
  }
  return keyword === 'default' ? 'other' : 'narrower input'
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isWords(items: readonly unknown[]): boolean {
  return items.every((item) => typeof item === 'string')
}

/** True if a value is a list of items with addresses, such as the files of a skill: these are compared address by address. */
function isAddressed(value: unknown): value is readonly { readonly uri: string }[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && typeof item.uri === 'string')
}

function byAddress(items: readonly { readonly uri: string }[]): Fields {
  return Object.fromEntries(items.map((item) => [item.uri, item]))
}

/** Only own members of the definition: a property may be called `constructor`. */
function member(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
