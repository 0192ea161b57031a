import type { ClusterMember } from '../cluster/member.ts'
import type { Asking, Caller, ListenExtension, ServerHandler, ServerRequest } from '../dialects/dialect.ts'
import type { InputLimits } from '../dialects/input-limits.ts'
import type { ExtensionWords } from '../model/extension.ts'
import type { CacheHint, Implementation, ServerCapabilities, Tool } from '../model/types.ts'
import type { Sender } from '../rpc/channel.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import type { Fields } from '../wire/messages.ts'
import type { Sealer } from '../wire/sealed.ts'
import type { Context } from './context.ts'
import type { ResourceDefinition, ResourceHandler, TemplateDefinition, TemplateHandler } from './definitions.ts'
import type { OfferControls } from './enable-disable.ts'

/** Additions of an extension to the types of a server. */
export interface ServerAdds {
  /** Members of a tool's definition. */
  readonly tool: object
  /** Members of the context that handlers are given. */
  readonly context: object
}

/** An extension as a server enables it. */
export interface ServerExtension<Adds extends ServerAdds = ServerAdds> extends ExtensionWords {
  /** Creates its server side, once for each server. */
  readonly server?: (host: ServerHost) => ServerPart
  /** Carries types only; undefined at run time. */
  readonly onServer?: Adds
}

/** The work of an extension on one server. */
export interface ServerPart {
  /**
   * Its settings among the declared capabilities; a function is asked for each caller, and leaves the extension out of
   * them by returning nothing. @default nothing more than that it is there
   */
  readonly settings?: Fields | ((sender: Sender | undefined) => Fields | undefined)
  /** Capabilities that it declares besides its own; left out in revisions that do not know them. */
  readonly capabilities?: ServerCapabilities | ((sender: Sender | undefined) => ServerCapabilities)
  /** The handlers of its methods. */
  readonly serve?: { readonly [method: string]: ServerHandler }
  /** Wraps every request to a feature, inside the interceptors of `use`. */
  readonly intercept?: Interceptor<ServerHandler>
  /** The members that it adds to tool definitions; a server without the extension refuses them. */
  readonly fields?: readonly string[]
  /** Reads its members of a tool definition; throws when they are not valid. */
  tool?(name: string, definition: Fields): ToolAddition | undefined
  /** Wraps the handler of a tool, after its arguments were checked. */
  readonly run?: Interceptor<ToolRun>
  /** True if `run` wraps the handler in this call; where it does not, it is not entered. @default in every call */
  runs?(request: ServerRequest): boolean
  /** Adds to the result of a handler, synchronously, so that a result to which nothing is added costs nothing. */
  finished?(request: ServerRequest, result: Fields): Fields
  /** Called with what a handler threw; what it returns is awaited before the error is answered. */
  failed?(request: ServerRequest, error: unknown): Promise<void> | undefined
  /** Puts it inside all other extensions, next to the handler, wherever it is listed. @default false */
  readonly innermost?: boolean
  /** The members that it adds to the context of a handler: for each what makes it, when the handler uses it. */
  readonly context?: { readonly [member: string]: (request: ServerRequest) => unknown }
  /** Reports to a listening client, chosen by its members of the filter. */
  listen?(filter: Fields, asking: Asking): Promise<ListenExtension | undefined> | ListenExtension | undefined
  /** Becomes part of one of several processes, before it starts; throws where it cannot. @internal */
  join?(member: ClusterMember): void
  /** Called once, when the server is served for the first time. */
  start?(): void
  /** Called when the server closes. */
  close?(): Promise<void>
}

/** One run of a tool's handler. */
export interface ToolCall {
  /** The input, checked. */
  readonly input: unknown
  readonly ctx: Context
  readonly request: ServerRequest
  /** The same call with another request behind its context. */
  withRequest(request: ServerRequest): ToolCall
}

/** Runs a tool's handler. */
export type ToolRun = (call: ToolCall) => unknown

/** Additions of an extension to a tool. */
export interface ToolAddition {
  /** Members of the listed tool; its `_meta` is merged with the author's. */
  readonly listed?: Partial<Tool>
  /** Data that the extension gets back when the tool is called. */
  readonly keep?: unknown
  /** Selects the callers that may see and use the tool, of those that its author selects. @default all */
  readonly visible?: (caller: Caller) => boolean
}

/** The parts of a server that an extension can use. */
export interface ServerHost {
  readonly info: Implementation
  readonly limits: InputLimits
  /** Items per page of a list. */
  readonly pageSize: number
  /** Seals state that clients send back. */
  readonly sealer: Sealer
  /** Time that lists may be reused, as the server's author wants it. */
  readonly cache: CacheHint
  /** Offers resources of its own beside those of the author. */
  readonly offers: ServerOffers
  /** A list that callers get page by page, as the protocol's own lists are. */
  list<Item>(options: ExtensionListOptions<Item>): ExtensionList
  /** The data of the extension for a tool that this caller may use, if it keeps any. */
  keep(name: string, caller: Caller): unknown
  /** Finds a tool for a caller, with the data of the extension and as it is listed. */
  tool(name: string, caller: Caller): { readonly keep: unknown; listed(): Promise<Omit<Tool, 'name'>> } | undefined
  /** Logs an internal error. */
  report(error: unknown, what: string): void
  /** Warns the author. */
  warn(message: string): void
}

/** A list of an extension. */
export interface ExtensionListOptions<Item> {
  /** The member of the result with the items. */
  readonly member: string
  /** Items that this caller sees, in order. */
  items(caller: Caller): Promise<readonly Item[]> | readonly Item[]
  /** A key that stays the same while the item does. */
  keyOf(item: Item): string
  /** True if the list depends on the caller. */
  restricted(): boolean
}

/** Answers the requests for a list. */
export interface ExtensionList {
  /** Serves the list method. */
  serve(request: ServerRequest): Promise<Fields>
  /** Drops the cached pages after a change. */
  invalidate(): void
}

/** Offers that an extension may make on its server, in the way its author does. */
export interface ServerOffers {
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): unknown
  template(uriTemplate: string, definition: TemplateDefinition, handler: TemplateHandler<string>): unknown
  readonly resources: Pick<OfferControls, 'has' | 'remove'> & { updated(uri: string): void }
  readonly templates: Pick<OfferControls, 'has' | 'remove'> & { listChanged(uriTemplate: string): void }
}

/** The types of a server without extensions. */
// biome-ignore lint/complexity/noBannedTypes: nothing at all, so that something can be added
export type NoAdds = { readonly tool: {}; readonly context: {} }

/** The types that a list of extensions adds. */
export type AddsOf<Extensions extends readonly unknown[]> = Extensions extends readonly [infer First, ...infer Rest]
  ? OnServer<First> & AddsOf<Rest>
  : NoAdds

type OnServer<Extension> = Extension extends { readonly onServer?: infer Adds extends ServerAdds } ? Adds : NoAdds
