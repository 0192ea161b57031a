import type { Fields } from '@trunkline/mcp'

/** A character takes at most this many bytes in JSON, as `\u0000` does. */
const bytesPerCharacter = 6

/** The bytes of a result as JSON when they are more than `maxBytes`; undefined when they are not. */
export function bytesOver(result: Fields, maxBytes: number): number | undefined {
  // nearly every result is far below the limit, which is seen without writing it out
  if (atMost(result, maxBytes) >= 0) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(result))
  return bytes > maxBytes ? bytes : undefined
}

/** Rest of a budget after the largest size that a value can have; negative as soon as that is too much. */
function atMost(value: unknown, budget: number): number {
  if (budget < 0) return budget
  if (typeof value === 'string') return budget - value.length * bytesPerCharacter - 3
  // no number takes more than 24 characters
  if (typeof value !== 'object' || value === null) return budget - 25
  let left = budget - 3
  if (Array.isArray(value)) {
    for (const item of value) left = atMost(item, left)
    return left
  }
  for (const name in value) {
    left = atMost((value as Fields)[name], left - name.length * bytesPerCharacter - 4)
    if (left < 0) break
  }
  return left
}
