import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { changeLines } from '../host/definition-change.ts'
import { openHost } from '../host/host-link.ts'
import { contentsLines } from '../output/content.ts'
import { firstLine } from '../output/first-line.ts'
import type { Line } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

type Entry = RouteAnswer<'catalogue'>['items'][number]

/** The members of a skill's definition that are shown. */
interface Skill {
  readonly uri: string
  readonly frontmatter: { readonly name: string; readonly description: string }
  readonly resources: readonly { readonly size: number }[] | 'dynamic'
}

const columns = [
  { title: 'server', style: 'name' },
  { title: 'skill', style: 'name' },
  { title: 'version' },
  { title: 'files' },
  { title: 'state' },
  { title: 'what it is for' },
] as const

/** `trunkline skills`: the skills of servers, what is in them, and what changed of them. */
export const skillsCommand = defineCommand({
  name: 'skills',
  group: 'host',
  needs: 'nothing',
  summary: 'Lists the skills of servers, reads one, or shows what changed since you accepted it',
  usage: ['[ls] [SERVER]', 'read SERVER SKILL [FILE]', 'diff [SERVER]'],
  details: [
    'Reading a skill goes through the policy like that of any client: the first read of each version asks.',
    'The version stands for all files of a skill and for its frontmatter; a rule such as "allow shop:@skill{name=refunds}" allows every version.',
  ],
  options: serverOptions,
  json: '`{ skills: […] }`; read prints the result of resources/read, diff `{ changes: […] }`',
  examples: [
    { line: 'trunkline skills', shows: 'every skill with its server, version and state' },
    { line: 'trunkline skills read shop refunds', shows: 'the instructions of one skill' },
    { line: 'trunkline skills diff shop', shows: 'which files and fields changed' },
  ],
  async run(invocation) {
    const { output, words, signal } = invocation
    const verbs = ['ls', 'read', 'diff']
    const verb = verbs.includes(words[0] ?? '') ? words[0] : 'ls'
    const rest = verbs.includes(words[0] ?? '') ? words.slice(1) : words
    const [only, wanted, file = 'SKILL.md'] = rest
    const { call } = await openHost()
    if (verb === 'diff') {
      const { items } = await call('diff', only === undefined ? {} : { server: only })
      const changes = items.filter(({ kind }) => kind === 'skill')
      const none = ['No skill differs from what you accepted']
      output.result({ changes }, () => (changes.length === 0 ? none : changes.flatMap(changeLines)))
      return undefined
    }
    const all = (await call('catalogue')).items.filter(({ kind }) => kind === 'skill')
    const skills = all.filter(({ server }) => only === undefined || server === only)
    if (verb === 'ls') {
      output.result({ skills }, () => skillLines(skills, output.width))
      return undefined
    }
    const found = skills.find(({ original, definition }) => wanted === original || wanted === skillOf(definition).name)
    if (only === undefined || !found) {
      const problem = wanted === undefined ? 'no skill is named' : `"${only}" has no skill "${wanted}"`
      throw usageFailure(`Cannot read a skill: ${problem}`, 'trunkline skills lists them')
    }
    await using server = await openServer({ ...invocation, words: [only] })
    const uri = `${found.original.slice(0, found.original.lastIndexOf('/'))}/${file.split('/').map(encodeURIComponent).join('/')}`
    const result = await server.client.resources.read(uri, { signal })
    output.result(result, () => result.contents.flatMap(contentsLines))
    return undefined
  },
})

function skillOf(definition: Entry['definition']): Skill['frontmatter'] & Pick<Skill, 'resources'> {
  const { frontmatter, resources } = definition as unknown as Skill
  return { ...frontmatter, resources }
}

function skillLines(skills: readonly Entry[], width: number): readonly Line[] {
  if (skills.length === 0) return ['No server has skills']
  const rows = skills.map(({ server, definition, hash, standing }) => {
    const { name, description, resources } = skillOf(definition)
    const files = resources === 'dynamic' ? 'dynamic' : String(resources.length)
    return [server, name, hash.slice(0, 16), files, standing, firstLine(description)]
  })
  return tableLines(columns, rows, width)
}
