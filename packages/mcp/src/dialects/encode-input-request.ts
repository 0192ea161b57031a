import { McpError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import type { Caller } from './dialect.ts'
import { encodeBlock } from './encode-result.ts'
import type { Facts } from './revision-facts.ts'

/** Encodes an input request for a revision. */
export function encodeInputRequest(
  method: string,
  params: Fields,
  { facts, caller }: { facts: Facts; caller: Caller },
): Fields {
  if (method === 'elicitation/create')
    return params.mode === 'url' ? encodeUrlElicitation(params, facts) : encodeForm(params, facts)
  if (method !== 'sampling/createMessage') return params
  const { includeContext, ...rest } = params
  const messages = encodeMessages(params.messages, facts)
  // an optional request, so it is left out where the client did not declare support
  const isHeard = !facts.manyContents || caller.capabilities.sampling?.context !== undefined
  return isHeard && includeContext !== undefined ? { ...rest, messages, includeContext } : { ...rest, messages }
}

function encodeUrlElicitation(params: Fields, { visits }: Facts): Fields {
  if (visits !== 'identified') return params
  return { ...params, elicitationId: params.elicitationId ?? crypto.randomUUID() }
}

function encodeForm(params: Fields, { visits, choices }: Facts): Fields {
  const { mode: _, ...rest } = params
  if (choices === 'titled') return visits === 'none' ? rest : params
  const schema = rest.requestedSchema as Fields
  const properties = Object.entries(schema.properties as Fields).map(([name, field]) => [
    name,
    encodeField(name, field as Fields),
  ])
  return { ...rest, requestedSchema: { ...schema, properties: Object.fromEntries(properties) } }
}

/** A form field for revisions without titled choices; keeps a default only where the revision has it. */
function encodeField(name: string, field: Fields): Fields {
  if (field.type === 'array') {
    throw new McpError(
      'Unsupported',
      `Cannot ask for "${name}": this client's revision has no multiple choice in forms`,
    )
  }
  const { default: preset, oneOf, ...rest } = field
  const kept = typeof preset === 'boolean' ? { ...rest, default: preset } : rest
  if (!Array.isArray(oneOf)) return kept
  return {
    ...kept,
    type: 'string',
    enum: oneOf.map((one) => one.const),
    enumNames: oneOf.map((one) => one.title ?? one.const),
  }
}

function encodeMessages(messages: unknown, facts: Facts): readonly Fields[] {
  return (messages as readonly Fields[]).map((message) => {
    const { content } = message
    if (facts.manyContents) return message
    return { role: message.role, content: encodeBlock(single(content), facts.vocabulary.types) }
  })
}

/** One content block, for revisions that take only one; several texts are joined, anything else is an error. */
function single(content: unknown): Fields {
  if (!Array.isArray(content)) return content as Fields
  if (content.length === 1) return content[0] as Fields
  if (content.every((block) => isObject(block) && block.type === 'text')) {
    return { type: 'text', text: content.map((block) => block.text).join('\n') }
  }
  throw new McpError('Unsupported', "Cannot sample: this client's revision takes one piece of content per message")
}
