/** The types that authors and callers see, in the form of the newest revision. */
import type { Fields } from '../wire/messages.ts'

/** Metadata that travels with almost everything; keys follow the protocol's naming rules. */
export type Meta = Fields

/** An icon of a server, tool, resource or prompt. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** The name and version of a client or server; self-reported, so never a reason to trust it. */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** The role of a message. */
export type Role = 'user' | 'assistant'

/** Hints on the audience and importance of content. */
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

/** Hints on the effects of a tool; untrusted unless the server is trusted. */
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
  /** Support for running as a task, in the revision that has tasks in its core. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
}

/** A resource as it is listed. */
export interface Resource extends Named {
  readonly uri: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
}

/** A resource template as it is listed. */
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

/** The contents of a resource as text. */
export interface TextResourceContents extends Contents {
  readonly text: string
}
/** `blob` is base64. */
export interface BlobResourceContents extends Contents {
  readonly blob: string
}
/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** An argument of a prompt as it is listed. */
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

/** The result of a tool call. */
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

/** The result of reading a resource. */
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

/** Time a result may be cached, and whether for other callers too. */
export interface CacheHint {
  readonly ttlMs: number
  readonly scope: 'public' | 'private'
}

/** From the least to the most severe. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
/** A log level of RFC 5424. */
export type LogLevel = (typeof logLevels)[number]

/** A log message of a server. */
export interface LogMessage {
  readonly level: LogLevel
  readonly logger?: string
  readonly data: unknown
}

/** The capabilities that a server declares. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly completions?: Fields
  readonly logging?: Fields
  readonly experimental?: Fields
  readonly extensions?: Fields
  /** Tasks, in the one revision that has them in its core. */
  readonly tasks?: Fields
}

/** A change that a client can watch. */
export type Change = (
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }
) & {
  /** Its number in the log of a cluster. @internal */
  readonly number?: number
}

/** The changes to watch. */
export interface Interest {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  /** Resources whose contents are watched. */
  readonly uris?: readonly string[]
}
