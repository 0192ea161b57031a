import type { Fields } from '@trunkline/mcp'
import type { ModelMessage } from 'ai'

/** A tool that a model may call. */
export interface ModelTool {
  readonly name: string
  readonly description?: string | undefined
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Fields
}

/** Request to a model. */
export interface ModelRequest {
  readonly system?: string | undefined
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[]
  /** @default 'auto' */
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined
  readonly maxTokens: number
  readonly temperature?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
}

/** A call that a model wants made. */
export interface ModelToolCall {
  readonly type: 'tool call'
  readonly id: string
  readonly name: string
  readonly arguments: Fields
}

/** A piece of a model's answer, in its order. */
export type ModelContent = { readonly type: 'text'; readonly text: string } | ModelToolCall

/** Tokens of a request. */
export interface TokenCount {
  readonly input: number
  readonly output: number
}

/** Reason why a model stopped. */
export type ModelStop = 'end' | 'length' | 'tool calls' | 'stop sequence' | 'filtered' | 'other'

/** Answer of a model. */
export interface ModelReply {
  readonly content: readonly ModelContent[]
  readonly stop: ModelStop
  readonly tokens: TokenCount
  /** The provider's name for the model that answered. */
  readonly model: string
}
