import type { Fields } from '@trunkline/mcp'
import { hashOf } from '../text/json-hash.ts'

/** Identity of a definition: a hash over every field of it, since any of them can reach a model. */
export function definitionHash(definition: Fields): string {
  return hashOf(definition)
}
