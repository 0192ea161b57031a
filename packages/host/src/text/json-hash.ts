import { createHash } from 'node:crypto'
import { canonicalJson } from '@trunkline/mcp'

/** The hash of any JSON value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
