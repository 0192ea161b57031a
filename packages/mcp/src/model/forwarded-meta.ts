import type { Fields } from '../wire/messages.ts'

/** The `_meta` names that belong to one hop. */
const hopPrefixes = ['io.modelcontextprotocol/', 'dev.trunkline/'] as const

/** The part of `_meta` that a relay passes on unchanged, trace context included; undefined when nothing is left. */
export function forwardedMeta(meta: Fields | undefined): Fields | undefined {
  if (meta === undefined) return undefined
  const kept = Object.entries(meta).filter(([key]) => !isHopByHop(key))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

function isHopByHop(key: string): boolean {
  return key === 'progressToken' || hopPrefixes.some((prefix) => key.startsWith(prefix))
}
