import type { CallToolResult, ContentBlock, Meta } from '../model/types.ts'
import type { Fields } from '../wire/messages.ts'
import { isContent, text } from './content.ts'

export interface ReplyOptions {
  /** The value that fits the tool's output schema. */
  readonly structured?: unknown
  /** Marks a failure that the model should know about. @default false */
  readonly isError?: boolean
  readonly meta?: Meta
}

/** A tool's result spelled out, for when a plain value does not say it all. */
export class Reply {
  readonly content: readonly ContentBlock[]
  readonly options: ReplyOptions

  constructor(content: readonly ContentBlock[], options: ReplyOptions) {
    this.content = content
    this.options = options
  }
}

/** Answers a tool call with content of your choice, and with whatever else a result may carry. */
export function reply(content: string | ContentBlock | readonly ContentBlock[], options: ReplyOptions = {}): Reply {
  return new Reply(blocks(content) ?? [], options)
}

/** The result of a tool call, from whatever its handler returned. */
export function toCallResult(value: unknown, structured: boolean): CallToolResult & Fields {
  if (value instanceof Reply) return fromReply(value)
  if (structured) return { content: [text(mirror(value))], structuredContent: value }
  const content = blocks(value)
  if (content) return { content }
  return { content: [text(mirror(value))], structuredContent: value }
}

function fromReply({ content, options: { structured, isError, meta } }: Reply): CallToolResult & Fields {
  const shown = content.length === 0 && structured !== undefined ? [text(mirror(structured))] : content
  return {
    content: shown,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(meta && { _meta: meta }),
  }
}

function blocks(value: unknown): readonly ContentBlock[] | undefined {
  if (typeof value === 'string') return [text(value)]
  if (value === undefined) return []
  if (isContent(value)) return [value]
  return Array.isArray(value) && value.length > 0 && value.every(isContent) ? value : undefined
}

// clients that do not know structured content read this instead
function mirror(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
