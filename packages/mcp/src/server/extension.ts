import type { Asking, Caller, ListenExtension, ServerHandler, ServerRequest } from '../dialects/dialect.ts'
import type { InputLimits } from '../dialects/input-limits.ts'
import type { ExtensionWords } from '../model/extension.ts'
import type { ServerCapabilities } from '../model/input.ts'
import type { CacheHint, Implementation, Tool } from '../model/types.ts'
import type { Sender } from '../rpc/channel.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import type { Fields } from '../wire/messages.ts'
import type { Sealer } from '../wire/sealed.ts'
import type { Context } from './context.ts'
import type { ResourceDefinition, ResourceHandler, TemplateDefinition, TemplateHandler } from './definitions.ts'
import type { OfferControls } from './enable-disable.ts'

/** What an extension adds to the types of a server. */
export interface ServerAdds {
  /** Members of a tool's definition. */
  readonly tool: object
  /** Members of the context that handlers are given. */
  readonly context: object
}

/** An extension as a server switches it on. */
export interface ServerExtension<Adds extends ServerAdds = ServerAdds> extends ExtensionWords {
  /** Its part on the server, made once for each server. */
  readonly server?: (host: ServerHost) => ServerPart
  /** For the types of a server; there is nothing in it at run time. */
  readonly onServer?: Adds
}

/** What an extension does on one server. */
export interface ServerPart {
  /** What is declared of it among the capabilities. @default nothing more than that it is there */
  readonly settings?: Fields
  /** What it declares outside of its own settings; a revision that has no word for a capability is not told of it. */
  readonly capabilities?: ServerCapabilities | ((sender: Sender | undefined) => ServerCapabilities)
  /** Serves the methods it brings. */
  readonly serve?: { readonly [method: string]: ServerHandler }
  /** Put around every request to a feature, inside of what the server's author uses. */
  readonly intercept?: Interceptor<ServerHandler>
  /** The members it adds to the definition of a tool; a server without the extension refuses them by name. */
  readonly fields?: readonly string[]
  /** Takes in the definition of a tool; throws when its own members make no sense. */
  tool?(name: string, definition: Fields): ToolAddition | undefined
  /** Put around the handler of every tool, after its arguments were found to be good. */
  readonly run?: Interceptor<ToolRun>
  /** The members it adds to the context of a handler. */
  context?(request: ServerRequest): object
  /** What it reports to a client that listens, by the members of its filter that belong to the extension. */
  listen?(filter: Fields, asking: Asking): Promise<ListenExtension | undefined> | ListenExtension | undefined
  /** Called once, when the server is served for the first time. */
  start?(): void
  /** Ends what it has under way; called when the server closes. */
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

/** Runs a tool's handler; what it returns or throws is what the handler did. */
export type ToolRun = (call: ToolCall) => unknown

/** What an extension makes of a tool. */
export interface ToolAddition {
  /** Members of the tool as it is listed; its `_meta` is put beside the author's own. */
  readonly listed?: Partial<Tool>
  /** What it wants to know again when the tool is called. */
  readonly keep?: unknown
  /** Who may see and use the tool, beside what its author says. @default everybody */
  readonly visible?: (caller: Caller) => boolean
}

/** What an extension may use of its server. */
export interface ServerHost {
  readonly info: Implementation
  readonly limits: InputLimits
  /** Items per page of a list. */
  readonly pageSize: number
  /** Seals what clients carry back. */
  readonly sealer: Sealer
  /** How long lists may be reused, as the server's author wants it. */
  readonly cache: CacheHint
  /** Offers resources of its own beside those of the author. */
  readonly offers: ServerOffers
  /** A list that callers get page by page, as the protocol's own lists are. */
  list<Item>(options: ExtensionListOptions<Item>): ExtensionList
  /** The tool that a caller reaches by a name, and what the extension kept of it. */
  tool(name: string, caller: Caller): { readonly keep: unknown } | undefined
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
  /** Told what the author should know. */
  warn(message: string): void
}

/** A list of an extension. */
export interface ExtensionListOptions<Item> {
  /** The member of the result that holds the items. */
  readonly member: string
  /** What this caller sees, in order. */
  items(caller: Caller): Promise<readonly Item[]> | readonly Item[]
  /** A key that stays the same while the item does. */
  keyOf(item: Item): string
  /** Whether some callers see less than others. */
  restricted(): boolean
}

/** Answers the requests for a list. */
export interface ExtensionList {
  /** Serves the list method. */
  serve(request: ServerRequest): Promise<Fields>
  /** Forgets what was listed, because it changed. */
  invalidate(): void
}

/** What an extension may offer on its server, in the way its author does. */
export interface ServerOffers {
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): unknown
  template(uriTemplate: string, definition: TemplateDefinition, handler: TemplateHandler<string>): unknown
  readonly resources: Pick<OfferControls, 'has' | 'remove'> & { updated(uri: string): void }
  readonly templates: Pick<OfferControls, 'has' | 'remove'> & { listChanged(uriTemplate: string): void }
}

/** Where every server starts. */
// biome-ignore lint/complexity/noBannedTypes: nothing at all, so that something can be added
export type NoAdds = { readonly tool: {}; readonly context: {} }

/** The types that a list of extensions adds. */
export type AddsOf<Extensions extends readonly unknown[]> = Extensions extends readonly [infer First, ...infer Rest]
  ? OnServer<First> & AddsOf<Rest>
  : NoAdds

type OnServer<Extension> = Extension extends { readonly onServer?: infer Adds extends ServerAdds } ? Adds : NoAdds
