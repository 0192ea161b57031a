import type { ContentBlock, Meta } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'
import { blocksOf } from './content.ts'

/** Options of {@link reply}. */
export interface ReplyOptions {
  /** The structured content. */
  readonly structured?: unknown
  /** True if the tool failed. @default false */
  readonly isError?: boolean
  readonly meta?: Meta
}

/** A tool result with content, structured content and metadata. */
export class Reply {
  readonly content: readonly ContentBlock[]
  readonly options: ReplyOptions

  constructor(content: readonly ContentBlock[], options: ReplyOptions) {
    this.content = content
    this.options = options
  }
}

/** Makes a tool result of content and options. */
export function reply(content: string | ContentBlock | readonly ContentBlock[], options: ReplyOptions = {}): Reply {
  const blocks = blocksOf(content)
  if (blocks) return new Reply(blocks, options)
  if (Array.isArray(content) && content.length === 0) return new Reply([], options)
  throw new McpError(
    'Misuse',
    'Cannot reply: the first argument must be text or content, as text() and image() make it',
  )
}
