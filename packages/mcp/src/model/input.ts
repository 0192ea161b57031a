/** What a server may ask of a client while it works: model output, user input, directories. */
import type { Fields } from '../wire/messages.ts'
import type { AudioContent, ContentBlock, ImageContent, Meta, Role, TextContent, Tool } from './types.ts'

/** A model's wish to use a tool. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Fields
  readonly _meta?: Meta
}

/** What came of a tool that a model used. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Meta
}

/** A piece of a message to or from a model. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

/** A message to or from a model. */
export interface SamplingMessage {
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly _meta?: Meta
}

/** Which model would suit, in the server's opinion; the client decides. */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/** A question to the client's model. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: ModelPreferences
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly metadata?: Fields
  readonly tools?: readonly Tool[]
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

/** What the client's model answered. */
export interface SamplingResult {
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly model: string
  readonly stopReason?: string
  readonly _meta?: Meta
}

/** A question to the user: a form to fill in here, or a page to visit elsewhere. */
export type ElicitationRequest =
  | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: Fields }
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly elicitationId?: string }

/** What the user did with a question. */
export type ElicitationResult =
  | { readonly action: 'accept'; readonly content?: Fields }
  | { readonly action: 'decline' | 'cancel' }

/** A directory or file that the client lets the server work in. */
export interface Root {
  readonly uri: string
  readonly name?: string
  readonly _meta?: Meta
}

/** What a client declares it can be asked. */
export interface ClientCapabilities {
  readonly sampling?: { readonly tools?: Fields; readonly context?: Fields }
  readonly elicitation?: { readonly form?: Fields; readonly url?: Fields }
  readonly roots?: { readonly listChanged?: boolean }
  readonly experimental?: Fields
  readonly extensions?: Fields
  /** The tasks that one revision has of its own. */
  readonly tasks?: Fields
}

/** What a server declares it offers. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly completions?: Fields
  readonly logging?: Fields
  readonly experimental?: Fields
  readonly extensions?: Fields
  /** The tasks that one revision has of its own. */
  readonly tasks?: Fields
}
