import type { Fields } from '@trunkline/mcp'
import type { SkillEntry } from '@trunkline/mcp/skills'

/** Limits of the skills that are kept of one server, besides those of each skill that the library checks. */
export interface KeptSkillLimits {
  /** Skills of one server; of one that lists more, the first are kept. @default 256 */
  readonly maxSkills?: number
  /** Bytes that the list of them may have, file names and digests included. @default 4_194_304 (4 MiB) */
  readonly maxSkillListBytes?: number
}

const defaults = { maxSkills: 256, maxSkillListBytes: 4_194_304 } as const satisfies KeptSkillLimits

/**
 * The skills that are kept of a server's list, as definitions: with the members that the protocol names and files in
 * the order of their addresses, so that a server that only lists them in another order has not changed them.
 */
export function keptSkills(
  listed: readonly SkillEntry[],
  onBadList: (problem: string) => void,
  limits: KeptSkillLimits = {},
): readonly Fields[] {
  const { maxSkills, maxSkillListBytes } = { ...defaults, ...limits }
  const kept = new Map<string, Fields>()
  let bytes = 0
  for (const { uri, frontmatter, resources } of listed) {
    const definition = { uri, frontmatter, resources: resources === 'dynamic' ? resources : inOrder(resources) }
    bytes += Buffer.byteLength(JSON.stringify(definition))
    if (kept.has(uri)) onBadList(`Left out skill "${uri}": one before it has the same address`)
    else if (kept.size >= maxSkills) onBadList(`Left out skill "${uri}": a server has at most ${maxSkills} skills here`)
    else if (bytes > maxSkillListBytes)
      onBadList(`Left out skill "${uri}": the list of skills has more than ${maxSkillListBytes} bytes`)
    else kept.set(uri, definition)
  }
  return [...kept.values()]
}

function inOrder(files: Exclude<SkillEntry['resources'], 'dynamic'>): readonly Fields[] {
  const named = files.map(({ uri, digest, size }) => ({ uri, digest, size }))
  return named.sort((one, other) => (one.uri < other.uri ? -1 : 1))
}
