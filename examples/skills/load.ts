// region client
import { connect } from '@trunkline/mcp'
import type { SkillEntry } from '@trunkline/mcp/skills'
import { skillFingerprint, skills } from '@trunkline/mcp/skills'

/** Approvals of the user, by our own name for the server and the address of the skill. */
const approvals = new Map<string, string | undefined>()

export async function loadSkill(url: URL, name: string, ask: (entry: SkillEntry) => Promise<boolean>) {
  await using mcp = await connect(url, { extensions: [skills()] })
  const entries = await mcp.skills.list().all()
  const entry = entries.find(({ frontmatter }) => frontmatter.name === name)
  if (!entry) throw new Error(`The shop has no skill "${name}"`)

  // other files than those that were approved are another skill
  const fingerprint = await skillFingerprint(entry)
  const key = `shop ${entry.uri}`
  if (fingerprint === undefined || approvals.get(key) !== fingerprint) {
    if (!(await ask(entry))) throw new Error('The user does not want it')
    approvals.set(key, fingerprint)
  }

  const skill = await mcp.skills.load(entry)
  const letter = await skill.read('examples/letter.md')
  return { instructions: `From the server "shop":\n${skill.body}`, files: skill.files, letter: letter.text }
}
// endregion
