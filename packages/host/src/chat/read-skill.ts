import type { Fields } from '@trunkline/mcp'
import type { ModelTool } from '../model/model-request.ts'
import type { ChatSkills, OfferedSkill, SkillContent } from './offered-skills.ts'

/** Name of the tool that reads skills; tools of the gateway have the name of their server in front. */
export const readSkillName = 'read_skill'

/** The tool that reads skills, in the form for a model. */
export const readSkillTool: ModelTool = {
  name: readSkillName,
  description:
    'Reads the instructions of a skill from the list of skills, or another file of it. The person may be asked first.',
  inputSchema: {
    type: 'object',
    properties: {
      server: { type: 'string', description: 'The server of the skill' },
      uri: { type: 'string', description: 'The address of the skill, as it is listed' },
      file: { type: 'string', description: 'Path of a file in the skill; "SKILL.md" if it is left out' },
    },
    required: ['server', 'uri'],
    additionalProperties: false,
  },
}

/** The result of reading a skill, with its origin, as shown to the model. */
export interface ReadSkill extends SkillContent {
  readonly from?: string
}

/** Paths of other files listed for a model with a `SKILL.md`. */
const maxPathsTold = 100

/**
 * Reads a file of a skill that the model was offered. Server and address must be those of one listed skill, and the file
 * one of its own, so that no text of a skill can lead to the skill of another server under its own name.
 */
export async function readSkill(
  { server, uri, file = 'SKILL.md' }: Fields,
  { skills, offered }: { readonly skills: ChatSkills; readonly offered: readonly OfferedSkill[] },
  signal: AbortSignal,
): Promise<ReadSkill> {
  const skill = offered.find((one) => one.server === server && one.uri === uri)
  if (!skill) return failed(`Cannot read a skill: server "${server}" lists none at "${uri}"`)
  const path = String(file)
  const address = addressOf(skill, path)
  if (address === undefined) return failed(`Cannot read "${path}": it is no file of skill "${skill.name}"`)
  const { content, ...more } = await skills.read(address, signal)
  if (more.isError) return { content, ...more }
  const from = `file ${path} of skill ${skill.name} of server ${skill.server}`
  return { content: path === 'SKILL.md' ? [...content, ...otherFiles(skill)] : content, ...more, from }
}

function addressOf({ uri, files }: OfferedSkill, path: string): string | undefined {
  if (files !== 'dynamic') return files.get(path)
  const segments = path.split('/')
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) return undefined
  return uri.slice(0, uri.lastIndexOf('/') + 1) + segments.map(encodeURIComponent).join('/')
}

function otherFiles({ files }: OfferedSkill): readonly Fields[] {
  const paths = files === 'dynamic' ? [] : [...files.keys()].filter((path) => path !== 'SKILL.md')
  if (paths.length === 0) return []
  const more = paths.length > maxPathsTold ? ` and ${paths.length - maxPathsTold} more` : ''
  const told = paths.slice(0, maxPathsTold).map((path) => JSON.stringify(path))
  return [{ type: 'text', text: `Other files of this skill: ${told.join(', ')}${more}` }]
}

function failed(text: string): ReadSkill {
  return { content: [{ type: 'text', text }], isError: true }
}
