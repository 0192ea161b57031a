/** What authors and callers see: the protocol's nouns, in the words of its newest revision. */
import type { Fields } from '../wire/messages.ts'

/** Metadata that travels with almost everything; keys follow the protocol's naming rules. */
export type Meta = Fields

export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** Who somebody says they are; never a reason to trust them. */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

export type Role = 'user' | 'assistant'

/** Hints on who content is for and how much it matters. */
export interface Annotations {
  readonly audience?: readonly Role[]
  readonly priority?: number
  readonly lastModified?: string
}

interface Described {
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

export interface TextContent extends Described {
  readonly type: 'text'
  readonly text: string
}

export interface ImageContent extends Described {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface AudioContent extends Described {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink extends Resource {
  readonly type: 'resource_link'
}

export interface EmbeddedResource extends Described {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

interface Named {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

/** What a tool's author says of its effects; untrusted unless the server is trusted. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export interface Tool extends Named {
  readonly inputSchema: Fields
  readonly outputSchema?: Fields
  readonly annotations?: ToolAnnotations
  /** How it may be run, in the revision that has tasks of its own. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
}

export interface Resource extends Named {
  readonly uri: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
}

export interface ResourceTemplate extends Named {
  readonly uriTemplate: string
  readonly mimeType?: string
  readonly annotations?: Annotations
}

interface Contents {
  readonly uri: string
  readonly mimeType?: string
  readonly _meta?: Meta
}

export interface TextResourceContents extends Contents {
  readonly text: string
}
/** `blob` is base64. */
export interface BlobResourceContents extends Contents {
  readonly blob: string
}
export type ResourceContents = TextResourceContents | BlobResourceContents

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

export interface Prompt extends Named {
  readonly arguments?: readonly PromptArgument[]
}

export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Meta
}

export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: Meta
}

export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: Meta
}

export interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}

/** How long a result may be reused, and whether by others than the one who asked. */
export interface CacheHint {
  readonly ttlMs: number
  readonly scope: 'public' | 'private'
}

/** From the least to the most severe. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogMessage {
  readonly level: LogLevel
  readonly logger?: string
  readonly data: unknown
}

/** Something a client may want to hear about. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

/** Which changes somebody wants to hear about. */
export interface Interest {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  /** Resources whose contents are watched. */
  readonly uris?: readonly string[]
}
