import type { Caller } from '@trunkline/mcp'

/** The directory that a caller works in, where it said so. */
export function projectOf({ claims }: Caller): string | undefined {
  return typeof claims?.project === 'string' ? claims.project : undefined
}
