import type { SkillLimits } from '../skill-limits.ts'

/** Options for a server that serves skills. */
export interface ServerSkillOptions {
  /** Notices changes in the directory by itself. @default true */
  readonly watch?: boolean
  readonly limits?: SkillLimits
}
