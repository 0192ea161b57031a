import { McpError } from '../../wire/errors.ts'
import { isObject } from '../../wire/messages.ts'
import { assertFrontmatter } from './frontmatter.ts'
import type { SkillEntry, SkillFile } from './skill-entry.ts'
import type { SkillLimits } from './skill-limits.ts'
import { segmentsProblem, skillNameIn, skillRoot } from './skill-uri.ts'

type Sizes = Pick<Required<SkillLimits>, 'maxFilesPerSkill' | 'maxBytesPerSkill' | 'maxFrontmatterBytes'>

const digest = /^sha256:[0-9a-f]{64}$/

/** Refuses an entry that is not what the protocol says, or is larger than a skill may be: such a skill is not to be loaded. */
export function assertSkillEntry(value: unknown, limits: Sizes): asserts value is SkillEntry {
  if (!isObject(value) || typeof value.uri !== 'string') throw refusal('?', '"uri" must be text')
  const { uri, frontmatter, resources } = value
  const root = skillRoot(uri)
  if (root === undefined)
    throw refusal(uri, '"uri" must be the address of a SKILL.md, as in "skill://refunds/SKILL.md"')
  if (JSON.stringify(frontmatter ?? null).length > limits.maxFrontmatterBytes * 2)
    throw refusal(uri, `its frontmatter is larger than ${limits.maxFrontmatterBytes} bytes`)
  try {
    assertFrontmatter(frontmatter)
  } catch (error) {
    throw refusal(uri, (error as Error).message)
  }
  if (frontmatter.name !== skillNameIn(root))
    throw refusal(uri, `its name is "${frontmatter.name}", but its address says "${skillNameIn(root)}"`)
  if (resources === 'dynamic') return
  if (!Array.isArray(resources)) throw refusal(uri, '"resources" must be a list of files, or "dynamic"')
  assertFiles(uri, root, resources, limits)
}

function assertFiles(uri: string, root: string, files: readonly unknown[], limits: Sizes): void {
  const { maxFilesPerSkill, maxBytesPerSkill } = limits
  if (files.length > maxFilesPerSkill) throw refusal(uri, `it has more than ${maxFilesPerSkill} files`)
  const seen = new Set<string>()
  let bytes = 0
  for (const file of files) {
    const problem = fileProblem(file, root)
    if (problem !== undefined) throw refusal(uri, problem)
    const { uri: at, size } = file as SkillFile
    if (seen.has(at)) throw refusal(uri, `"${at}" is listed twice`)
    seen.add(at)
    bytes += size
  }
  if (bytes > maxBytesPerSkill) throw refusal(uri, `it has more than ${maxBytesPerSkill} bytes`)
  if (!seen.has(uri)) throw refusal(uri, 'its list of files lacks its own SKILL.md')
}

function fileProblem(file: unknown, root: string): string | undefined {
  if (!isObject(file) || typeof file.uri !== 'string') return 'a file of it has no "uri"'
  const { uri, digest: sum, size } = file
  if (!uri.startsWith(`${root}/`)) return `"${uri}" is not in its directory`
  const climb = segmentsProblem(uri.slice(root.length + 1))
  if (climb !== undefined) return `"${uri}" is no address of a file: ${climb}`
  if (typeof sum !== 'string' || !digest.test(sum)) return `the digest of "${uri}" is no "sha256:" and 64 digits`
  if (!Number.isSafeInteger(size) || (size as number) < 0) return `the size of "${uri}" is no whole number of bytes`
  return undefined
}

function refusal(uri: string, problem: string): McpError {
  return new McpError('InvalidResponse', `Cannot use skill "${uri}": ${problem}`)
}
