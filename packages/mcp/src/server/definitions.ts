/** What an author says of each thing a server offers. */
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
import type { Context, ReadContext } from './context.ts'
import type { Reply } from './tool-reply.ts'

interface Described {
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly meta?: Meta
  /** Who may see and use it. @default everybody */
  readonly visible?: (caller: Caller) => boolean
  /** What a caller needs to use it on a server that is protected; others are told so. @default nothing */
  readonly scopes?: readonly string[]
}

type Later<Value> = Value | Promise<Value>

/** Suggests values for an argument that starts with `value`; the other arguments filled in so far are in `others`. */
export type Completer = (value: string, others: { readonly [name: string]: string }) => Later<readonly string[]>
/** What suggests values, by argument. */
export type Completers = { readonly [argument: string]: Completer }

/** What an author says of a tool. */
export interface ToolDefinition<In extends AnySchema | undefined, Out extends AnySchema | undefined> extends Described {
  /** What the tool takes: a schema of any library, or plain JSON Schema. @default an object with anything in it */
  readonly input?: In
  /** What the tool returns, beside or instead of content for a model. */
  readonly output?: Out
  readonly annotations?: ToolAnnotations
}

/** What the handler of a tool gets: what the input schema makes of the arguments. */
export type ToolInput<In> = In extends AnySchema ? SchemaOutput<In> : Fields
/** What callers of a tool give. */
export type ToolArguments<In> = In extends AnySchema ? SchemaInput<In> : Fields
/** What the handler of a tool may return. */
export type ToolOutput<Out> = Out extends AnySchema
  ? SchemaInput<Out> | Reply
  : string | ContentBlock | readonly ContentBlock[] | object | number | boolean | null | Reply | Nothing
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing returns void
type Nothing = void
/** Does the work of a tool. */
export type ToolHandler<In, Out, Adds = unknown> = (input: ToolInput<In>, ctx: Context & Adds) => Later<ToolOutput<Out>>

/** What an author says of a resource. */
export interface ResourceDefinition extends Described {
  /** @default the URI */
  readonly name?: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
  /** How long what was read may be reused. @default not at all */
  readonly cache?: CacheHint
}

/** Text, bytes, or contents spelled out. */
export type ReadOutput =
  | string
  | Uint8Array
  | ArrayBuffer
  | ResourceContents
  | readonly ResourceContents[]
  | ReadResourceResult
/** Reads a resource. */
export type ResourceHandler = (input: { readonly uri: string }, ctx: ReadContext) => Later<ReadOutput>

/** What an author says of the resources that match a template. */
export interface TemplateDefinition extends Omit<ResourceDefinition, 'size'> {
  /** Suggests values for the template's variables. */
  readonly complete?: Completers
  /** The resources this template stands for at the moment, to be listed with the others. */
  readonly list?: (caller: Caller) => Later<readonly { readonly uri: string; readonly name: string }[]>
}

/** The variables of a template, as far as its text tells. */
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

/** Reads a resource whose address matches a template. */
export type TemplateHandler<Template extends string> = (
  variables: Variables<Template>,
  ctx: ReadContext,
) => Later<ReadOutput>

/** What an author says of a prompt. */
export interface PromptDefinition<Args extends AnySchema | readonly PromptArgument[] | undefined> extends Described {
  /** What the prompt takes: a schema with string members, or a list of arguments. */
  readonly arguments?: Args
  /** Suggests values for the prompt's arguments. */
  readonly complete?: Completers
}

/** What the handler of a prompt gets. */
export type PromptInput<Args> = Args extends PromptSchema ? SchemaOutput<Args> : { readonly [name: string]: string }
/** What callers of a prompt give. */
export type PromptArguments<Args> = Args extends PromptSchema ? SchemaInput<Args> : { readonly [name: string]: string }
// a list is an object as well, yet no schema
type PromptSchema = AnySchema & { readonly [Symbol.iterator]?: never }
/** A user message as text, messages, or a result spelled out. */
export type PromptOutput = string | PromptMessage | readonly PromptMessage[] | GetPromptResult
/** Writes the messages of a prompt. */
export type PromptHandler<Args> = (input: PromptInput<Args>, ctx: Context) => Later<PromptOutput>
