import type { Fields } from '@trunkline/mcp'
import type { FilePart, TextPart, ToolResultPart } from 'ai'

/** A block of content of the protocol for a model: text, an image, a sound, or the text of a resource. */
export function contentPart(block: Fields): TextPart | FilePart {
  const { type, text, data, mimeType } = block
  if (type === 'text') return { type: 'text', text: String(text) }
  if (type === 'image' || type === 'audio') return filePart(String(data), String(mimeType))
  if (type === 'resource') return resourcePart((block.resource ?? {}) as Fields)
  // a link, or something newer: only its JSON can be shown
  return { type: 'text', text: JSON.stringify(block) }
}

/** The content of a resource, for a model. */
export function resourcePart({ uri, text, blob, mimeType }: Fields): TextPart | FilePart {
  if (typeof text === 'string') return { type: 'text', text }
  const isShown = typeof mimeType === 'string' && /^(?:image|audio)\/|^application\/pdf$/.test(mimeType)
  if (typeof blob === 'string' && isShown) return filePart(blob, mimeType)
  return { type: 'text', text: `[${uri}: ${mimeType ?? 'binary'}, which cannot be shown]` }
}

/** The result of a tool for a model. */
export function toolOutput(blocks: readonly Fields[], isError: boolean): ToolResultPart['output'] {
  const parts = blocks.map(contentPart)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (isError) return { type: 'error-text', value: texts.join('\n') }
  if (texts.length === parts.length) return { type: 'text', value: texts.join('\n') }
  return {
    type: 'content',
    value: parts.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'file', data: { type: 'data', data: part.data as string }, mediaType: part.mediaType },
    ),
  }
}

function filePart(data: string, mediaType: string): FilePart {
  return { type: 'file', data, mediaType }
}
