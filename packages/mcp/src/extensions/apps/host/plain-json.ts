/**
 * Finds the fault in a value that came as a copy of an object: JSON must be able to carry it, and it must not be too
 * large.
 */
export function plainJsonProblem(value: unknown, maxChars: number): string | undefined {
  const left = { chars: maxChars }
  return problemIn(value, 0, left)
}

const maxDepth = 64

function problemIn(value: unknown, depth: number, left: { chars: number }): string | undefined {
  left.chars -= typeof value === 'string' ? value.length + 1 : 1
  if (left.chars < 0) return 'it is too large'
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'it holds a number that is none'
  if (typeof value !== 'object') return `it holds ${typeof value}`
  // what leads back to itself has no end
  if (depth === maxDepth) return `it is nested more than ${maxDepth} deep`
  const isPlain = Array.isArray(value) || isRecord(value)
  if (!isPlain) return 'it holds an object of another kind than JSON has'
  for (const [name, member] of Object.entries(value)) {
    left.chars -= name.length
    // a member that is undefined is not there for JSON either
    const problem = member === undefined ? undefined : problemIn(member, depth + 1, left)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isRecord(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
