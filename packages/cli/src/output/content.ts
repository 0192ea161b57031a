import type { CallToolResult, ContentBlock, ResourceContents } from '@trunkline/mcp/client'
import { visibleJson } from './json.ts'
import { type Line, styled } from './span.ts'

/** Content of a tool's result for a person, or its structured value if there is no content. */
export function resultLines({ content, structuredContent }: CallToolResult): readonly Line[] {
  const lines = content.flatMap(blockLines)
  if (lines.length > 0 || structuredContent === undefined) return lines
  return visibleJson(structuredContent, 2).split('\n')
}

/** One block of content, for a person. */
export function blockLines(block: ContentBlock): readonly Line[] {
  switch (block.type) {
    case 'text':
      return textLines(block.text)
    case 'image':
    case 'audio':
      return [styled('faint', `[${block.type}, ${block.mimeType}, ${byteCount(block.data)}]`)]
    case 'resource_link':
      return [
        [styled('faint', '[link] '), block.uri, block.title || block.name ? ` (${block.title ?? block.name})` : ''],
      ]
    case 'resource':
      return contentsLines(block.resource)
    default:
      // a server may send kinds of content that this command does not know
      return visibleJson(block, 2).split('\n')
  }
}

/** Contents of a resource, for a person. */
export function contentsLines(contents: ResourceContents): readonly Line[] {
  if ('text' in contents) return textLines(contents.text)
  const kind = contents.mimeType ?? 'application/octet-stream'
  return [styled('faint', `[${contents.uri}, ${kind}, ${byteCount(contents.blob)}]`)]
}

function textLines(text: string): readonly Line[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function byteCount(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return `${Math.max(0, Math.floor((base64.length * 3) / 4) - padding)} bytes`
}
