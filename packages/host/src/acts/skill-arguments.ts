import type { Fields } from '@trunkline/mcp'
import type { SkillEntry } from '@trunkline/mcp/skills'
import type { Entry } from '../catalogue/entry.ts'

/** Digits of the hash of a skill by which rules and people tell its versions apart. */
const versionDigits = 16

/** The arguments of an act that reads a file of a skill, for rules and for the person who is asked. */
export function skillArguments({ definition, hash }: Pick<Entry, 'definition' | 'hash'>, path: string): Fields {
  const { frontmatter, resources } = definition as unknown as SkillEntry
  const { name, description } = frontmatter
  const allowed = frontmatter['allowed-tools']
  const about = { name, path, description, ...(allowed !== undefined && { 'allowed-tools (ignored)': allowed }) }
  if (resources === 'dynamic') return { ...about, dynamic: true }
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  return { ...about, version: skillVersion(hash), files: resources.length, bytes }
}

/** The version of a skill: other files, other contents or another frontmatter are another version. */
export function skillVersion(hash: string): string {
  return hash.slice(0, versionDigits)
}
