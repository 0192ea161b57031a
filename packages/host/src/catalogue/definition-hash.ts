import { createHash } from 'node:crypto'
import type { Fields } from '@trunkline/mcp'
import { canonicalJson } from '@trunkline/mcp'

/** Identity of a definition: a hash over every field of it, since any of them can reach a model. */
export function definitionHash(definition: Fields): string {
  return hashOf(definition)
}

/** The hash of any JSON value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
