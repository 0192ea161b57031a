/** What authors and callers see: the protocol's nouns, in the words of its newest revision. */
import type { Fields } from '../wire/messages.ts'

/** Metadata that travels with almost everything; keys follow the protocol's naming rules. */
export type Meta = Fields

/** A picture for a server or for what it offers. */
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

/** Who speaks in a message. */
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

/** Text for a model or a user. */
export interface TextContent extends Described {
  readonly type: 'text'
  readonly text: string
}

/** An image, in base64. */
export interface ImageContent extends Described {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A sound, in base64. */
export interface AudioContent extends Described {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A resource that the client may read, without its contents. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link'
}

/** A resource with its contents. */
export interface EmbeddedResource extends Described {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** A piece of a result or of a prompt. */
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

/** A tool as it is listed. */
export interface Tool extends Named {
  readonly inputSchema: Fields
  readonly outputSchema?: Fields
  readonly annotations?: ToolAnnotations
  /** How it may be run, in the revision that has tasks of its own. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
}

/** A resource as it is listed. */
export interface Resource extends Named {
  readonly uri: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
}

/** A template of addresses as it is listed. */
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

/** What was read of a resource, as text. */
export interface TextResourceContents extends Contents {
  readonly text: string
}
/** `blob` is base64. */
export interface BlobResourceContents extends Contents {
  readonly blob: string
}
/** What was read of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** What a prompt takes, as it is listed. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A prompt as it is listed. */
export interface Prompt extends Named {
  readonly arguments?: readonly PromptArgument[]
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

/** What came of a tool call. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Meta
}

/** The messages of a prompt. */
export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: Meta
}

/** What was read at an address. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: Meta
}

/** The values suggested for an argument. */
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
/** How severe a log message is, in the words of RFC 5424. */
export type LogLevel = (typeof logLevels)[number]

/** What a server logged. */
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
