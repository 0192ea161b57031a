import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Resource,
  ResourceLink,
  TextContent,
} from '../model/types.ts'
import { isObject } from '../wire/messages.ts'
import { base64 } from './base64.ts'

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

/** A pointer to a resource that the client may read. */
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

/** Whether a value is a piece of content, and not just an object that has a type. */
export function isContent(value: unknown): value is ContentBlock {
  return isObject(value) && required.get(value.type)?.every((member) => value[member] !== undefined) === true
}
