import type { Fields } from '@trunkline/mcp'
import type { ModelMessage } from 'ai'

/** A tool that a model may call. */
export interface ModelTool {
  readonly name: string
  readonly description?: string | undefined
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Fields
}

/** What a model is asked. */
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

/** A piece of what a model answered, in its order. */
export type ModelContent = { readonly type: 'text'; readonly text: string } | ModelToolCall

/** How many tokens a request took. */
export interface TokenCount {
  readonly input: number
  readonly output: number
}

/** Why a model stopped. */
export type ModelStop = 'end' | 'length' | 'tool calls' | 'stop sequence' | 'filtered' | 'other'

/** What a model answered. */
export interface ModelReply {
  readonly content: readonly ModelContent[]
  readonly stop: ModelStop
  readonly tokens: TokenCount
  /** What the provider calls the model that answered. */
  readonly model: string
}
