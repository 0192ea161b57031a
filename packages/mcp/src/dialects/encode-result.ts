import { methods } from '../model/features.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'
import { vocabularies } from '../wire/vocabulary-table.ts'
import type { Facts } from './revision-facts.ts'

type Types = Vocabulary['types']
type Speller = (result: Fields, facts: Facts) => Fields

/** Encodes a result for a revision: leaves out or rewrites what the revision does not know. */
export function encodeResult(method: string, result: Fields, facts: Facts): Fields {
  const speller = spellers.get(method)
  const rows = facts.methods ?? methods
  if (!rows.get(method)?.cacheable) return speller ? speller(result, facts) : result
  const { ttlMs, cacheScope, ...timeless } = result
  return speller ? speller(timeless, facts) : timeless
}

const listOf =
  (member: string, type: string): Speller =>
  (result, { vocabulary: { types } }) => ({
    ...result,
    [member]: each(result[member], (item) => pick(item, types, type)),
  })

/** The lists whose items need no more than their own members. */
const plainLists = [...methods].flatMap(([method, { paged, itemType }]): [string, Speller][] =>
  paged === undefined || itemType === undefined ? [] : [[method, listOf(paged, itemType)]],
)

const spellers: ReadonlyMap<string, Speller> = new Map<string, Speller>([
  ...plainLists,
  ['tools/list', (result, facts) => ({ ...result, tools: each(result.tools, (tool) => encodeTool(tool, facts)) })],
  ['tools/call', encodeCall],
  [
    'resources/read',
    (result, { vocabulary: { types } }) => ({
      ...result,
      contents: each(result.contents, (item) => encodeContents(item, types)),
    }),
  ],
  [
    'prompts/list',
    (result, { vocabulary: { types } }) => ({
      ...result,
      prompts: each(result.prompts, (prompt) => encodePrompt(prompt, types)),
    }),
  ],
  [
    'prompts/get',
    (result, { vocabulary: { types } }) => ({
      ...result,
      messages: each(result.messages, (message) => ({
        ...message,
        content: encodeBlock(message.content as Fields, types),
      })),
    }),
  ],
])

function encodeTool(tool: Fields, { vocabulary: { types }, structured }: Facts): Fields {
  const known = pick(tool, types, 'Tool')
  if (structured !== 'object' || !isObject(known.outputSchema) || known.outputSchema.type === 'object') return known
  const { outputSchema: _, ...rest } = known
  return rest
}

function encodePrompt(prompt: Fields, types: Types): Fields {
  const known = pick(prompt, types, 'Prompt')
  if (!known.arguments) return known
  return { ...known, arguments: each(known.arguments, (argument) => pick(argument, types, 'PromptArgument')) }
}

function encodeCall(result: Fields, { vocabulary: { types }, structured }: Facts): Fields {
  // another type of result belongs to an extension, which has encoded it
  if (result.content === undefined) return result
  const blocks = result.content as readonly Fields[]
  const content = blocks.every(isBareText) ? blocks : blocks.map((block) => encodeBlock(block, types))
  const keeps = structured === 'any' || (structured === 'object' && isObject(result.structuredContent))
  if (keeps || result.structuredContent === undefined) return content === blocks ? result : { ...result, content }
  const { structuredContent: _, ...rest } = result
  return { ...rest, content }
}

// the fast path: nearly every result is this in every revision
function isBareText(block: Fields): boolean {
  return block.type === 'text' && block.annotations === undefined && block._meta === undefined
}

/** Encodes a content block for a revision; an unknown kind becomes a known one. */
export function encodeBlock(block: Fields, types: Types): Fields {
  switch (block.type) {
    case 'text':
      return pick(block, types, 'TextContent')
    case 'image':
      return pick(block, types, 'ImageContent')
    case 'audio':
      return types.AudioContent ? pick(block, types, 'AudioContent') : attachment(block)
    case 'resource_link':
      return types.ResourceLink ? pick(block, types, 'ResourceLink') : { type: 'text', text: linkText(block) }
    case 'resource': {
      const known = pick(block, types, 'EmbeddedResource')
      return { ...known, resource: encodeContents(known.resource as Fields, types) }
    }
    default:
      return block
  }
}

function encodeContents(contents: Fields, types: Types): Fields {
  return pick(contents, types, 'text' in contents ? 'TextResourceContents' : 'BlobResourceContents')
}

function attachment({ data, mimeType }: Fields): Fields {
  return { type: 'resource', resource: { uri: 'attachment:audio', mimeType, blob: data } }
}

function linkText({ title, name, uri, description }: Fields): string {
  return `${title ?? name}: ${uri}${description ? `\n${description}` : ''}`
}

/** Removes the members that only other revisions have; members that no revision has are the author's own and stay. */
export function pick(value: Fields, types: Types, type: string): Fields {
  const fields = types[type]?.fields
  if (!fields) return value
  const elsewhere = knownAnywhere(type)
  const kept: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) if (fields.has(key) || !elsewhere.has(key)) kept[key] = value[key]
  if (type !== 'Tool' && isObject(kept.annotations)) kept.annotations = pick(kept.annotations, types, 'Annotations')
  return kept
}

const known = new Map<string, ReadonlySet<string>>()

/** The members that a type has in any revision. */
function knownAnywhere(type: string): ReadonlySet<string> {
  const found = known.get(type)
  if (found) return found
  const names = new Set([...vocabularies.values()].flatMap(({ types }) => [...(types[type]?.fields?.keys() ?? [])]))
  known.set(type, names)
  return names
}

function each(items: unknown, encode: (item: Fields) => Fields): readonly Fields[] {
  return (items as readonly Fields[]).map(encode)
}
