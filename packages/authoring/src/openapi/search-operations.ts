import type { ApiOperation } from './operation.ts'

/** Finds operations by words, those that say most of them in the most telling places first. */
export function searchOperations(
  operations: readonly ApiOperation[],
  { query, tag }: { readonly query: string; readonly tag?: string | undefined },
): readonly ApiOperation[] {
  const words = wordsOf(query)
  const eligible = tag === undefined ? operations : operations.filter(({ tags }) => tags.includes(tag))
  if (words.length === 0) return eligible
  return eligible
    .map((operation) => ({ operation, score: scoreOf(operation, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation)
}

function scoreOf({ name, path, method, summary, description, tags }: ApiOperation, words: readonly string[]): number {
  const places: readonly (readonly [weight: number, words: ReadonlySet<string>])[] = [
    [5, new Set(wordsOf(name))],
    [4, new Set(wordsOf(summary))],
    [3, new Set([...wordsOf(path), ...wordsOf(tags.join(' ')), ...(verbs[method] ?? [])])],
    [1, new Set(wordsOf(description))],
  ]
  let score = 0
  for (const word of words) score += Math.max(0, ...places.map(([weight, said]) => (said.has(word) ? weight : 0)))
  return score
}

const verbs: { readonly [method: string]: readonly string[] } = {
  GET: ['get', 'list', 'read', 'show', 'find'],
  POST: ['create', 'add', 'make', 'new'],
  PUT: ['replace', 'update', 'set'],
  PATCH: ['update', 'change', 'edit'],
  DELETE: ['delete', 'remove'],
}

/** Words without their endings, split where a name changes its case. */
function wordsOf(text: string): readonly string[] {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return split
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/(?:ies|es|s)$/, ''))
}
