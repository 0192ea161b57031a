import type { AnswerInput, Dialect } from '../dialects/dialect.ts'
import type { ExtensionWords } from '../model/extension.ts'
import type { ClientCapabilities } from '../model/input.ts'
import type { ServerTypes } from '../model/server-types.ts'
import type { CallToolResult, ServerCapabilities } from '../model/types.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientLimits } from './client-limits.ts'
import type { ClientHandler, RequestOptions } from './client-request.ts'

/**
 * Additions of an extension to the types of a client. `types` stands for what the server offers: an interface that extends
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

/** An extension as a client enables it. */
export interface ClientExtension<Adds extends ClientAdds = ClientAdds> extends ExtensionWords {
  /** Creates its client side, once for each connection. */
  readonly client?: (start: ClientStart) => ClientPart
  /** Carries types only; undefined at run time. */
  readonly onClient?: Adds
}

/** The parts of a client that an extension can use before it is connected. */
export interface ClientStart {
  warn(message: string): void
}

/** The work of an extension on one client. */
export interface ClientPart {
  /** Its settings among the declared capabilities. @default nothing more than that it is there */
  readonly settings?: Fields
  /** Capabilities that it declares besides its own; left out in revisions that do not know them. */
  readonly capabilities?: ClientCapabilities | ((own: ClientCapabilities) => ClientCapabilities)
  /** The options of calls that it adds; an option that no extension names is refused. */
  readonly callOptions?: readonly string[]
  /** Wraps the answers to the server's requests. */
  readonly answer?: Interceptor<AnswerInput>
  /** Called once the revision is negotiated. */
  connected?(host: ClientHost): ConnectedPart
}

/** The work of an extension on a connected client. */
export interface ConnectedPart {
  /** Wraps every request, inside the interceptors of `use`. */
  readonly intercept?: Interceptor<ClientHandler>
  /** Puts it around all other extensions, next to the caller, wherever it is listed. @default false */
  readonly outermost?: boolean
  /** Members to add to `client.tools`. */
  readonly tools?: object
  /** Members to add to the client. */
  readonly client?: object
  /** Receives every notification of the server. */
  notified?(method: string, params: Fields): void
  /** Called when the client closes. */
  close?(): void
}

/** The parts of a client that an extension can use. */
export interface ClientHost {
  /** The negotiated revision. @internal */
  readonly dialect: Dialect
  /** Capabilities that the server declared. */
  readonly capabilities: ServerCapabilities
  readonly limits: ClientLimits
  /** Aborts when the connection is closed. */
  readonly gone: AbortSignal
  /** Answers a request of the server with the client's own handlers. */
  readonly answer: AnswerInput
  /** Sends a request through the interceptors of the client. */
  request(method: string, params: Fields, options?: RequestOptions): Promise<Fields>
  /** Calls a tool as `client.tools.call` does: with header parameters, and with its result checked. */
  callTool(name: string, input: Fields, options?: RequestOptions): Promise<CallToolResult>
  /** True if the revision has the method and the server offers the feature it belongs to. */
  offers(method: string): boolean
  /**
   * Listens to an extension of the server; resolves with the filter that the server honours, if it supports
   * listening.
   */
  listen(filter: Fields, listener: ExtensionListener): Promise<Fields | undefined>
  warn(message: string): void
}

/** Receives what the server reports to an extension. */
export interface ExtensionListener {
  readonly signal: AbortSignal
  onNotice(method: string, params: Fields): void
  /** The server ended the stream. */
  onEnd(reason: unknown): void
}

/** The types of a client without extensions. */
export interface NoClientAdds extends ClientAdds {
  // biome-ignore-start lint/complexity/noBannedTypes: nothing at all, so that something can be added
  readonly tools: {}
  readonly client: {}
  readonly options: {}
  readonly result: {}
  // biome-ignore-end lint/complexity/noBannedTypes: nothing at all, so that something can be added
}

/** The types that a list of extensions adds, as a union: `Added` puts their members together. */
export type ClientAddsOf<Extensions extends readonly unknown[]> = [Extensions[number]] extends [never]
  ? NoClientAdds
  : OnClient<Extensions[number]>

/**
 * One kind of member that extensions add, for a server with these types. Each extension is given the types by itself:
 * compilers before TypeScript 7 do not get to the end of an intersection in which several refer to `this`.
 */
export type Added<Adds extends ClientAdds, Types, What extends 'tools' | 'client' | 'options' | 'result'> = Together<
  Adds extends ClientAdds ? (Adds & { readonly types: Types })[What] : never
>

/** All members of a union in one type. */
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

type OnClient<Extension> = Extension extends { readonly onClient?: infer Adds extends ClientAdds }
  ? ClientAdds extends Adds
    ? NoClientAdds
    : Adds
  : NoClientAdds
