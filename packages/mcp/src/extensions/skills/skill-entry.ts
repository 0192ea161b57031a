import type { Fields } from '../../wire/messages.ts'
import { anyObject, array, object, string } from '../../wire/shape.ts'

/** One file of a skill, and what its bytes must be. */
export interface SkillFile {
  readonly uri: string
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string
  /** Bytes of the file. */
  readonly size: number
}

/** Frontmatter that the author of a skill wrote at the top of its `SKILL.md`, word for word. */
export interface SkillFrontmatter extends Fields {
  readonly name: string
  readonly description: string
}

/**
 * A skill as a server lists it.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export interface SkillEntry {
  /** Address of its `SKILL.md`. */
  readonly uri: string
  readonly frontmatter: SkillFrontmatter
  /** Every file of the skill, or `dynamic` when what they hold cannot be told beforehand. */
  readonly resources: readonly SkillFile[] | 'dynamic'
}

/** Identifier of the extension. */
export const skillsId = 'io.modelcontextprotocol/skills'

/** Media type of a directory, among the kinds of resources. */
export const directoryType = 'inode/directory'

const byUri = object({ uri: string })

/** The requests of the extension. What is in an entry is judged entry by entry, so that a bad one hides no other. */
export const skillMethods = {
  'skills/list': {
    result: object({ skills: array(anyObject) }),
    paged: 'skills',
    cacheable: true,
    repeatable: true,
  },
  'skills/get': { params: byUri, result: object({ skill: anyObject }), cacheable: true, repeatable: true },
  'resources/directory/read': {
    params: byUri,
    result: object({ resources: array(object({ uri: string, name: string })) }),
    paged: 'resources',
    repeatable: true,
  },
} as const
