import { McpError } from '../../wire/errors.ts'
import type { OpenSkillFolder } from './server/skill-source.ts'

/** Stands in for directories on runtimes that have none. */
export const openSkillFolder: OpenSkillFolder = (path) => {
  throw new McpError('Unsupported', `Cannot serve skills from "${path}": this runtime has no directories`)
}
