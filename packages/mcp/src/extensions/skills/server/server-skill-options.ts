import type { SkillLimits } from '../skill-limits.ts'

/** How a server serves skills. */
export interface ServerSkillOptions {
  /** Whether changes in the directory are noticed by themselves. @default true */
  readonly watch?: boolean
  readonly limits?: SkillLimits
}
