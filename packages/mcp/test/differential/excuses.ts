import type { JsonSchema } from './arbitrary.ts'

/** A place where the schemas of the official SDK say something else than those of the protocol, which we follow. */
export interface Excuse {
  readonly why: string
  /** Matches `<method> params` or `<method> result`, a blank, and the path of the difference. */
  readonly at: RegExp
}

/** All of them; the differential tests hold us to the schemas of the SDK apart from these. */
export const excuses: readonly Excuse[] = [
  {
    why: 'The SDK checks formats; the protocol leaves base64, dates and URLs to whoever reads them',
    at: /[ .](data|blob|lastModified|url)$|roots\[\d\]\.uri$/,
  },
  {
    why: 'The SDK takes any number where the protocol says integer',
    at: /[ .](ttl|pollInterval|size|minLength|maxLength|minItems|maxItems)$/,
  },
  {
    why: 'The SDK looks less closely at the schemas of a tool, and takes structured content of every later kind',
    at: /(inputSchema\.(\$schema|properties\.\S+)|outputSchema(\.(\$schema|type|properties\S*|required\S*))?|structuredContent)$/,
  },
  { why: 'The SDK fills in content that a tool left out', at: /^tools\/call result (content)?$/ },
  { why: 'The SDK takes null for no content', at: /^elicitation\/create result content$/ },
  {
    why: 'The SDK lets a string schema have members of a choice that are no such members',
    at: /^elicitation\/create params requestedSchema\.(\$schema$|properties\.[^.]+\.(enum|enumNames|oneOf|format)\b)/,
  },
  { why: 'The SDK lets contents with a blob have any text', at: /(contents\[\d\]|resource)\.(text|blob)$/ },
  {
    why: 'The SDK looks for progress tokens in notifications, and into the key that relates a message to a task',
    at: /^notifications\/.* _meta\.progressToken$|related-task/,
  },
  {
    why: 'The SDK leaves the _meta of 2026-07-28 and the members of all its results to other schemas of its own',
    at: /^(server\/discover|(notifications\/)?subscriptions\/\w+) (params|result) (_meta.*|resultType|ttlMs|cacheScope)?$/,
  },
  {
    why: 'The SDK knows the capabilities of all revisions, and one of its own',
    at: /capabilities\.(extensions|elicitation\.form\.applyDefaults)|^server\/discover result capabilities\.tasks/,
  },
  { why: 'The SDK does not know that an argument of a prompt has a title', at: /(arguments\[\d\]|ref)\.title$/ },
]

const integer = { type: 'integer' }
const aSchema = { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] }

/** Schemas for values where the SDK would take more than the protocol. */
export const narrower: { readonly [property: string]: JsonSchema } = {
  inputSchema: aSchema,
  outputSchema: aSchema,
  structuredContent: { type: 'object' },
  ttl: integer,
  pollInterval: integer,
  size: integer,
  minLength: integer,
  maxLength: integer,
  minItems: integer,
  maxItems: integer,
}
