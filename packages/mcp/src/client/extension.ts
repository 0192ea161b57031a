import type { AnswerInput, Dialect } from '../dialects/dialect.ts'
import type { ExtensionWords } from '../model/extension.ts'
import type { ClientCapabilities, ServerCapabilities } from '../model/input.ts'
import type { ServerTypes } from '../model/server-types.ts'
import type { CallToolResult } from '../model/types.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientHandler, RequestOptions } from './client-request.ts'
import type { ClientLimits } from './limits.ts'

/**
 * What an extension adds to the types of a client. `types` stands for what the server offers: an interface that extends
 * this one can refer to it as `this['types']`.
 */
export interface ClientAdds {
  readonly types: ServerTypes
  /** Members of `client.tools`. */
  readonly tools: object
  /** Members of the client itself. */
  readonly client: object
  /** Options of a tool call. */
  readonly options: object
  /** Members of a tool's result. */
  readonly result: object
}

/** An extension as a client switches it on. */
export interface ClientExtension<Adds extends ClientAdds = ClientAdds> extends ExtensionWords {
  /** Its part on the client, made once for each connection. */
  readonly client?: (start: ClientStart) => ClientPart
  /** For the types of a client; there is nothing in it at run time. */
  readonly onClient?: Adds
}

/** What an extension may use of a client that is not connected yet. */
export interface ClientStart {
  warn(message: string): void
}

/** What an extension does on one client. */
export interface ClientPart {
  /** What is declared of it among the capabilities. @default nothing more than that it is there */
  readonly settings?: Fields
  /** What it declares outside of its own settings; a revision that has no word for a capability is not told of it. */
  readonly capabilities?: ClientCapabilities | ((own: ClientCapabilities) => ClientCapabilities)
  /** Put around the answers to what the server asks. */
  readonly answer?: Interceptor<AnswerInput>
  /** Called once the revision is agreed on. */
  connected?(host: ClientHost): ConnectedPart
}

/** What an extension does on a client that is connected. */
export interface ConnectedPart {
  /** Put around every request, inside of what the client's author uses. */
  readonly intercept?: Interceptor<ClientHandler>
  /** Members to add to `client.tools`. */
  readonly tools?: object
  /** Members to add to the client. */
  readonly client?: object
  /** Told whatever the server tells. */
  notified?(method: string, params: Fields): void
  /** Ends what it has under way; called when the client closes. */
  close?(): void
}

/** What an extension may use of its client. */
export interface ClientHost {
  /** The revision that both sides speak. @internal */
  readonly dialect: Dialect
  /** What the server declared. */
  readonly capabilities: ServerCapabilities
  readonly limits: ClientLimits
  /** Aborts when the connection is gone. */
  readonly gone: AbortSignal
  /** Answers what a server asks, as the client's author wants it answered. */
  readonly answer: AnswerInput
  /** Makes a request as if the client's author had made it. */
  request(method: string, params: Fields, options?: RequestOptions): Promise<Fields>
  /** Calls a tool as if the client's author had called it: what is known of the tool is heeded, and its result checked. */
  callTool(name: string, input: Fields, options?: RequestOptions): Promise<CallToolResult>
  /** Whether the revision has the method and the server offers the feature it belongs to. */
  offers(method: string): boolean
  /** Listens for what an extension of the server reports; resolves with what it agreed to, if it can be listened to at all. */
  listen(filter: Fields, listener: ExtensionListener): Promise<Fields | undefined>
  warn(message: string): void
}

/** Where what a server reports to a listening extension is delivered. */
export interface ExtensionListener {
  readonly signal: AbortSignal
  onNotice(method: string, params: Fields): void
  /** The server stopped reporting of its own accord. */
  onEnd(reason: unknown): void
}

/** Where every client starts. */
export interface NoClientAdds extends ClientAdds {
  // biome-ignore-start lint/complexity/noBannedTypes: nothing at all, so that something can be added
  readonly tools: {}
  readonly client: {}
  readonly options: {}
  readonly result: {}
  // biome-ignore-end lint/complexity/noBannedTypes: nothing at all, so that something can be added
}

/** The types that a list of extensions adds. */
export type ClientAddsOf<Extensions extends readonly unknown[]> = Extensions extends readonly [
  infer First,
  ...infer Rest,
]
  ? OnClient<First> & ClientAddsOf<Rest>
  : NoClientAdds

/** One of the things that extensions add, to a client of a server that offers `Types`. */
export type Added<Adds extends ClientAdds, Types, What extends 'tools' | 'client' | 'options' | 'result'> = (Adds & {
  readonly types: Types
})[What]

type OnClient<Extension> = Extension extends { readonly onClient?: infer Adds extends ClientAdds } ? Adds : NoClientAdds
