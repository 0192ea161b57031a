import { canonicalJson } from '../../wire/canonical-json.ts'
import { sha256 } from './client/verify.ts'
import type { SkillEntry } from './skill-entry.ts'

/**
 * A text that stands for a skill and what all its files hold: keep it with a user's approval, beside your own name for the server, and
 * ask again when it differs. A dynamic skill has none, so an approval of it cannot be kept.
 */
export async function skillFingerprint({ uri, resources }: SkillEntry): Promise<string | undefined> {
  if (resources === 'dynamic') return undefined
  const files = resources
    .map((file) => [file.uri, file.digest])
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
  return sha256(new TextEncoder().encode(canonicalJson([uri, files])))
}
