/** Limits to the size of a skill, on the side that serves it and on the side that loads it. */
export interface SkillLimits {
  /** Files of one skill, its `SKILL.md` included; every client takes as many as the default. @default 512 */
  readonly maxFilesPerSkill?: number
  /** Bytes of all files of one skill; every client takes as many as the default. @default 16_777_216 (16 MiB) */
  readonly maxBytesPerSkill?: number
  /** Bytes of the frontmatter of one skill. @default 65_536 (64 KiB) */
  readonly maxFrontmatterBytes?: number
  /** Directories between the directory that is served and a file. @default 16 */
  readonly maxFolderDepth?: number
  /** Files and directories that are looked at below the directory that is served. @default 20_000 */
  readonly maxEntriesRead?: number
}

/** The default limits. */
export const skillLimits = {
  maxFilesPerSkill: 512,
  maxBytesPerSkill: 16_777_216,
  maxFrontmatterBytes: 65_536,
  maxFolderDepth: 16,
  maxEntriesRead: 20_000,
} as const satisfies SkillLimits
