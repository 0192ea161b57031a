import { canonicalJson } from '../../../wire/canonical-json.ts'
import type { Fields } from '../../../wire/messages.ts'
import { parseSkillText } from '../frontmatter.ts'
import type { SkillEntry, SkillFrontmatter } from '../skill-entry.ts'
import { type SkillLimits, skillLimits } from '../skill-limits.ts'
import { utf8Text } from '../utf8.ts'
import { bytesIn, mismatch, verifiedBytes } from './verify.ts'

/**
 * Checks a result of `resources/read` against the entry of a skill, for gateways that pass results on: the file must be
 * listed there with this size and digest, and `SKILL.md` must have the frontmatter of the entry. Throws an
 * `InvalidResponse` where it differs. Of a dynamic skill only the frontmatter and the size can be checked.
 */
export async function verifySkillFile(
  entry: SkillEntry,
  { uri, result }: { readonly uri: string; readonly result: Fields },
  limits: Pick<SkillLimits, 'maxBytesPerSkill' | 'maxFrontmatterBytes'> = {},
): Promise<void> {
  const { maxBytesPerSkill, maxFrontmatterBytes } = { ...skillLimits, ...limits }
  const file = entry.resources === 'dynamic' ? undefined : entry.resources.find((one) => one.uri === uri)
  if (!file && entry.resources !== 'dynamic') throw mismatch(uri, 'the entry of its skill does not list it')
  const bytes = file ? await verifiedBytes(result, file) : bytesIn(result, uri, maxBytesPerSkill)
  if (uri === entry.uri) verifiedText(entry, bytes, maxFrontmatterBytes)
}

/** Reads a `SKILL.md`, if its frontmatter is that of its entry, field by field. */
export function verifiedText(entry: SkillEntry, bytes: Uint8Array, maxFrontmatterBytes: number): { body: string } {
  const text = utf8Text(bytes)
  if (text === undefined) throw mismatch(entry.uri, 'it is not UTF-8')
  const { frontmatter, body } = parseSkillText(text, maxFrontmatterBytes)
  const name = differingField(entry.frontmatter, frontmatter)
  if (name !== undefined) throw mismatch(entry.uri, `its frontmatter differs from its entry in "${name}"`)
  return { body }
}

/** The first field that is not the same in both. */
function differingField(listed: SkillFrontmatter, written: SkillFrontmatter): string | undefined {
  const names = new Set([...Object.keys(listed), ...Object.keys(written)])
  return [...names].find((name) => canonicalJson(listed[name] ?? null) !== canonicalJson(written[name] ?? null))
}
