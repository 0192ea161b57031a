import type { ContentBlock, Meta } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'
import { blocksOf } from './content.ts'

/** What a result of a tool carries beside its content. */
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
  const blocks = blocksOf(content)
  if (blocks) return new Reply(blocks, options)
  if (Array.isArray(content) && content.length === 0) return new Reply([], options)
  throw new McpError(
    'Misuse',
    'Cannot reply: the first argument must be text or content, as text() and image() make it',
  )
}
