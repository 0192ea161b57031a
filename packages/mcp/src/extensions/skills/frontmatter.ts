import { parse } from 'yaml'
import { McpError } from '../../wire/errors.ts'
import { isObject } from '../../wire/messages.ts'
import type { SkillFrontmatter } from './skill-entry.ts'
import { isSkillName, skillNameRule } from './skill-uri.ts'

/** A `SKILL.md` in its two parts. */
export interface SkillText {
  readonly frontmatter: SkillFrontmatter
  /** Text after the frontmatter. */
  readonly body: string
}

const maxDepth = 32

/** Reads a `SKILL.md`; throws when its frontmatter is missing, too large, or not what every skill has. */
export function parseSkillText(text: string, maxFrontmatterBytes: number): SkillText {
  const { yaml, body } = split(text, maxFrontmatterBytes)
  if (new TextEncoder().encode(yaml).length > maxFrontmatterBytes) throw tooLarge(maxFrontmatterBytes)
  const frontmatter = asJson(parsed(yaml), maxFrontmatterBytes)
  assertFrontmatter(frontmatter)
  return { frontmatter, body }
}

/** Refuses a frontmatter without what every skill has: a name that can be one, and a description. */
export function assertFrontmatter(value: unknown): asserts value is SkillFrontmatter {
  if (!isObject(value)) throw refusal('it is no list of names and values, as in "name: refunds"')
  if (!isSkillName(value.name)) throw refusal(`"name" is ${JSON.stringify(value.name)}, but ${skillNameRule}`)
  const { description } = value
  if (typeof description !== 'string' || description.trim() === '') throw refusal('"description" must be text')
}

/** Cuts a file at the lines `---`; a second one further away than the limit is not looked for. */
function split(text: string, most: number): { readonly yaml: string; readonly body: string } {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const first = endOfLine(text, mark)
  if (text.slice(mark, first).trimEnd() !== '---')
    throw refusal('the file must begin with a line "---", then YAML, then a line "---"')
  for (let at = first; at < text.length; ) {
    if (at - first > most) throw tooLarge(most)
    const end = endOfLine(text, at)
    if (text.slice(at, end).trimEnd() === '---') return { yaml: text.slice(first, at), body: text.slice(end) }
    at = end
  }
  throw refusal('the line "---" that ends it is missing')
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

function parsed(yaml: string): unknown {
  try {
    // names of other types than text and repeated names have no place in JSON; few aliases keep it from exploding
    return parse(yaml, { schema: 'core', uniqueKeys: true, maxAliasCount: 32, prettyErrors: false, logLevel: 'error' })
  } catch (error) {
    throw refusal(`it is not valid YAML (${error instanceof Error ? error.message : String(error)})`)
  }
}

/** The value as it travels; what JSON cannot carry, or only at a multiple of its size, is refused. */
function asJson(value: unknown, maxBytes: number): unknown {
  assertPlain(value, maxDepth)
  const text = JSON.stringify(value) ?? 'null'
  if (text.length > maxBytes * 2) throw refusal(`it grows to more than ${maxBytes * 2} characters of JSON`)
  return JSON.parse(text)
}

function assertPlain(value: unknown, depthLeft: number): void {
  if (depthLeft === 0) throw refusal(`it is nested more than ${maxDepth} deep`)
  if (typeof value === 'number' && !Number.isFinite(value)) throw refusal(`JSON has no number ${value}`)
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) assertPlain(member, depthLeft - 1)
}

const tooLarge = (most: number): McpError => refusal(`it is larger than ${most} bytes`)

function refusal(problem: string): McpError {
  return new McpError('InvalidResponse', `Cannot read the frontmatter of a skill: ${problem}`)
}
