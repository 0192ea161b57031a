// region server
import { server } from '@trunkline/mcp'
import { skills } from '@trunkline/mcp/skills'

export const shop = server({
  name: 'shop',
  version: '1.0.0',
  // every directory below with a SKILL.md in it is a skill
  extensions: [skills(new URL('skills', import.meta.url))],
})
// endregion
