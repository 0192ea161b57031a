/** Skills: instructions that a server brings along, and a client loads when they are wanted. */

export type { ClientSkillOptions, LoadSkillOptions } from './extensions/skills/client/client-skill-options.ts'
export { type LoadedFile, LoadedSkill } from './extensions/skills/client/loaded-skill.ts'
export type { ClientSkills } from './extensions/skills/client/part.ts'
export { verifySkillFile } from './extensions/skills/client/verify-file.ts'
export { skillFingerprint } from './extensions/skills/fingerprint.ts'
export type { ServerSkillOptions } from './extensions/skills/server/server-skill-options.ts'
export type { SkillEntry, SkillFile, SkillFrontmatter } from './extensions/skills/skill-entry.ts'
export type { SkillLimits } from './extensions/skills/skill-limits.ts'
export { type ClientSkillsExtension, type SkillsOnClient, skills } from './extensions/skills/skills.ts'
