import type { Fields } from '@trunkline/mcp'
import { type Finding, scan } from './scan.ts'

/** The characters of a result that are looked at, so that a large one does not hold up others. */
const maxScannedChars = 262_144
const maxDepth = 64
/** Findings that travel with a result. */
const maxTold = 10

/** Passages in a result of an untrusted server that address a model instead of answering, the heaviest first. */
export function scanResult(result: Fields): readonly Pick<Finding, 'at' | 'what' | 'why'>[] {
  const { _meta, ...own } = result
  const { value, left } = bounded(own, maxScannedChars, maxDepth)
  const findings = scan(value as Fields).filter(({ what }) => what !== 'length')
  const ordered = [...findings].sort((one, other) => Number(one.weight === 'notes') - Number(other.weight === 'notes'))
  const told = ordered.slice(0, maxTold).map(({ at, what, why }) => ({ at, what, why }))
  if (left > 0) return told
  return [
    ...told,
    { at: '', what: 'length', why: `has more than the ${maxScannedChars} characters that were looked at` },
  ]
}

/** A value whose texts have at most so many characters together. */
function bounded(value: unknown, budget: number, depth: number): { readonly value: unknown; readonly left: number } {
  if (typeof value === 'string') return { value: value.slice(0, Math.max(0, budget)), left: budget - value.length }
  if (typeof value !== 'object' || value === null || depth === 0) return { value: undefined, left: budget - 1 }
  let left = budget
  const members: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    if (left <= 0) break
    const inner = bounded(member, left - key.length, depth - 1)
    members.push([key, inner.value])
    left = inner.left
  }
  return { value: Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members), left }
}
