import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Resource,
  ResourceLink,
  TextContent,
} from '../model/types.ts'
import { base64 } from '../wire/base64.ts'
import { isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { jsonOf, type Returning, refuseResult } from './bad-result.ts'
import { wireShapeOf } from './wire-shapes.ts'

/** A piece of text. */
export function text(value: string): TextContent {
  return { type: 'text', text: value }
}

/** An image, from its bytes or from base64. */
export function image(data: Uint8Array | string, mimeType: string): ImageContent {
  return { type: 'image', data: base64(data), mimeType }
}

/** A sound, from its bytes or from base64. */
export function audio(data: Uint8Array | string, mimeType: string): AudioContent {
  return { type: 'audio', data: base64(data), mimeType }
}

/** A link to a resource. */
export function link(resource: Resource): ResourceLink {
  return { type: 'resource_link', ...resource }
}

/** A resource with its contents, from text or from bytes. */
export function embed(uri: string, contents: string | Uint8Array, mimeType?: string): EmbeddedResource {
  const described = mimeType === undefined ? { uri } : { uri, mimeType }
  const resource =
    typeof contents === 'string' ? { ...described, text: contents } : { ...described, blob: base64(contents) }
  return { type: 'resource', resource }
}

const required: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
  ['resource', ['resource']],
])

/** True if a value is a valid content block. */
export function isContent(value: unknown): value is ContentBlock {
  return isObject(value) && required.get(value.type)?.every((member) => value[member] !== undefined) === true
}

/** True if an object has the `type` of a content block, valid or not. */
export function isOfContentType(value: unknown): boolean {
  return isObject(value) && required.has(value.type)
}

/** The content blocks of a value: text, one block, several, or none. */
export function blocksOf(value: unknown): readonly ContentBlock[] | undefined {
  if (typeof value === 'string') return [text(value)]
  if (value === undefined) return []
  if (isContent(value)) return [value]
  return Array.isArray(value) && value.length > 0 && value.every(isContent) ? value : undefined
}

/** Checks content blocks, and converts bytes to base64. */
export function checkBlocks(blocks: readonly ContentBlock[], returning: Returning): readonly ContentBlock[] {
  const sent = jsonOf(blocks, returning) as readonly ContentBlock[]
  for (const [at, block] of sent.entries()) {
    const problem = wireShapeOf('ContentBlock').check(block)
    if (problem)
      refuseResult(returning, `content that clients cannot read: content[${at}].${describeShapeProblem(problem)}`)
  }
  return sent
}
