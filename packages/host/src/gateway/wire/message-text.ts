import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import type { RecordLevel } from '../../ledger/payloads.ts'
import { shapeOf } from '../../ledger/shape.ts'

/** The largest message that is kept whole, in characters; of a larger one, its shape. */
export const maxMessageLength = 256 * 1024

/** A message as it is kept: without secrets, and as far as its server's level permits. */
export function messageText(message: Fields, level: 'full' | 'shape'): string {
  const isWhole = level === 'full' && lengthUpTo(message, maxMessageLength) <= maxMessageLength
  return JSON.stringify(isWhole ? redact(message) : shaped(message))
}

/** True if anything is kept at this level. */
export function isKept(level: RecordLevel): level is 'full' | 'shape' {
  return level !== 'off'
}

function shaped({ params, result, error, ...envelope }: Fields): Fields {
  return {
    ...envelope,
    ...(params !== undefined && { params: shapeOf(params) }),
    ...(result !== undefined && { result: shapeOf(result) }),
    ...(error !== undefined && { error: shapeOf(error) }),
  }
}

/** About how long a value is as JSON; stops counting soon after `most`. */
export function lengthUpTo(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const [name, member] of Object.entries(value)) {
    length += name.length + 4 + lengthUpTo(member, most - length)
    if (length > most) break
  }
  return length
}
