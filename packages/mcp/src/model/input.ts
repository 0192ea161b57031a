/** Input that a server can request from a client: sampling, elicitation and roots. */
import type { Fields } from '../wire/messages.ts'
import type { AudioContent, ContentBlock, ImageContent, Meta, Role, TextContent, Tool } from './types.ts'

/** A tool use of a model. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Fields
  readonly _meta?: Meta
}

/** The result of a tool use. */
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

/** The server's preferences for a model; the client decides. */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/** A sampling request to the client's model. */
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

/** The answer of the client's model. */
export interface SamplingResult {
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly model: string
  readonly stopReason?: string
  readonly _meta?: Meta
}

/** An elicitation request: a form, or a URL to visit. */
export type ElicitationRequest =
  | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: Fields }
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly elicitationId?: string }

/** The user's answer to an elicitation request. */
export type ElicitationResult =
  | { readonly action: 'accept'; readonly content?: Fields }
  | { readonly action: 'decline' | 'cancel' }

/** A directory or file that the server may work in. */
export interface Root {
  readonly uri: string
  readonly name?: string
  readonly _meta?: Meta
}

/** The capabilities that a client declares. */
export interface ClientCapabilities {
  readonly sampling?: { readonly tools?: Fields; readonly context?: Fields }
  readonly elicitation?: { readonly form?: Fields; readonly url?: Fields }
  readonly roots?: { readonly listChanged?: boolean }
  readonly experimental?: Fields
  readonly extensions?: Fields
  /** Tasks, in the one revision that has them in its core. */
  readonly tasks?: Fields
}
