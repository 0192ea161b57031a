/** The definitions of tools, resources and prompts. */
import type { Caller } from '../dialects/dialect.ts'
import type {
  Annotations,
  CacheHint,
  ContentBlock,
  GetPromptResult,
  Icon,
  Meta,
  PromptArgument,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
  ToolAnnotations,
} from '../model/types.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from '../schema/adapter.ts'
import type { Fields } from '../wire/messages.ts'
import type { CallRates } from './call-rates.ts'
import type { Context, ReadContext } from './context.ts'
import type { Reply } from './tool-reply.ts'

interface Described {
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly meta?: Meta
  /** Selects the callers that may see and use it. @default all */
  readonly visible?: (caller: Caller) => boolean
  /** The scopes that a caller needs to use it on a protected server. @default nothing */
  readonly scopes?: readonly string[]
}

type Later<Value> = Value | Promise<Value>

/** Suggests values for an argument that starts with `value`; the other arguments filled in so far are in `others`. */
export type Completer = (value: string, others: { readonly [name: string]: string }) => Later<readonly string[]>
/** Completers by argument. */
export type Completers = { readonly [argument: string]: Completer }

/** The definition of a tool. */
export interface ToolDefinition<In extends AnySchema | undefined, Out extends AnySchema | undefined> extends Described {
  /** The input schema, of any library or as plain JSON Schema. @default an object with anything in it */
  readonly input?: In
  /** The schema of the structured content. */
  readonly output?: Out
  readonly annotations?: ToolAnnotations
  /** Rates of its calls, beside those of its server. @default none */
  readonly limits?: CallRates
}

/** The input of a tool handler. */
export type ToolInput<In> = In extends AnySchema ? SchemaOutput<In> : Fields
/** The arguments of a tool. */
export type ToolArguments<In> = In extends AnySchema ? SchemaInput<In> : Fields
/** Values that a tool handler may return. */
export type ToolOutput<Out> = Out extends AnySchema
  ? SchemaInput<Out> | Reply
  : string | ContentBlock | readonly ContentBlock[] | object | number | boolean | null | Reply | Nothing
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing returns void
type Nothing = void
/** The handler of a tool. */
export type ToolHandler<In, Out, Adds = unknown> = (input: ToolInput<In>, ctx: Context & Adds) => Later<ToolOutput<Out>>

/** The definition of a resource. */
export interface ResourceDefinition extends Described {
  /** @default the URI */
  readonly name?: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
  /** Time that the contents may be cached. @default not at all */
  readonly cache?: CacheHint
}

/** Text, bytes, or contents as on the wire. */
export type ReadOutput =
  | string
  | Uint8Array
  | ArrayBuffer
  | ResourceContents
  | readonly ResourceContents[]
  | ReadResourceResult
/** Reads a resource. */
export type ResourceHandler = (input: { readonly uri: string }, ctx: ReadContext) => Later<ReadOutput>

/** The definition of a resource template. */
export interface TemplateDefinition extends Omit<ResourceDefinition, 'size'> {
  /** Suggests values for the template's variables. */
  readonly complete?: Completers
  /** Lists the current resources of the template. */
  readonly list?: (caller: Caller) => Later<readonly { readonly uri: string; readonly name: string }[]>
}

/** The variables of a template. */
export type Variables<Template extends string> = string extends Template
  ? { readonly [name: string]: string }
  : { readonly [Name in VariableNames<Template>]: string }

type VariableNames<Template extends string> = Template extends `${string}{${infer Expression}}${infer Rest}`
  ? Names<Bare<Expression>> | VariableNames<Rest>
  : never
type Bare<Expression extends string> = Expression extends `${'+' | '#' | '.' | '/' | ';' | '?' | '&'}${infer List}`
  ? List
  : Expression
type Names<List extends string> = List extends `${infer First},${infer Rest}` ? Name<First> | Names<Rest> : Name<List>
type Name<Text extends string> = Text extends `${infer Bare}*`
  ? Bare
  : Text extends `${infer Bare}:${string}`
    ? Bare
    : Text

/** Reads a resource whose URI matches a template. */
export type TemplateHandler<Template extends string> = (
  variables: Variables<Template>,
  ctx: ReadContext,
) => Later<ReadOutput>

/** The definition of a prompt. */
export interface PromptDefinition<Args extends AnySchema | readonly PromptArgument[] | undefined> extends Described {
  /** The arguments: a schema with string members, or a list. */
  readonly arguments?: Args
  /** Suggests values for the prompt's arguments. */
  readonly complete?: Completers
}

/** The input of a prompt handler. */
export type PromptInput<Args> = Args extends PromptSchema ? SchemaOutput<Args> : { readonly [name: string]: string }
/** The arguments of a prompt. */
export type PromptArguments<Args> = Args extends PromptSchema ? SchemaInput<Args> : { readonly [name: string]: string }
// a list is an object too, but not a schema
type PromptSchema = AnySchema & { readonly [Symbol.iterator]?: never }
/** A user message as text, messages, or a result as on the wire. */
export type PromptOutput = string | PromptMessage | readonly PromptMessage[] | GetPromptResult
/** Writes the messages of a prompt. */
export type PromptHandler<Args> = (input: PromptInput<Args>, ctx: Context) => Later<PromptOutput>
