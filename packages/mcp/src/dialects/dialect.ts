import type { ExtensionWords } from '../model/extension.ts'
import type { Method } from '../model/features.ts'
import type { HeaderParam } from '../model/header-params.ts'
import type { ClientCapabilities } from '../model/input.ts'
import type { CacheHint, Change, Implementation, Interest, LogLevel, ServerCapabilities } from '../model/types.ts'
import type { Sender } from '../rpc/channel.ts'
import type { Incoming } from '../rpc/incoming.ts'
import type { Call, Notify } from '../rpc/outgoing-calls.ts'
import type { EffectStore } from '../stores/effect-store.ts'
import type { Fields } from '../wire/messages.ts'
import type { Sealer } from '../wire/sealed.ts'
import type { Shape } from '../wire/shape.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'
import type { HttpRules } from './http-rules.ts'
import type { InputLimits } from './input-limits.ts'

/** One protocol revision: all code that differs between revisions is behind this interface. */
export interface Dialect {
  readonly revision: string
  /** The messages of each side; a method outside it does not exist. */
  readonly vocabulary: Vocabulary
  /** The table of methods, extensions included. */
  readonly methods: ReadonlyMap<string, Method>
  /** The results that extensions add, by `resultType`. */
  readonly resultTypes: ReadonlyMap<string, Shape>
  /** The same revision with these extensions, as far as it supports them. */
  extended(extensions: readonly ExtensionWords[]): Dialect
  /** True if the revision has batches. */
  readonly batches: boolean
  /** The opening: a handshake, or none if every request carries its own metadata. */
  readonly opening: 'handshake' | 'none'
  /** The id of an error response to a request without a readable id. */
  readonly unreadableId: 'null' | 'omitted'

  /** Client: opens the conversation with `initialize` or `server/discover`. */
  greet(link: Link, self: ClientSide): Promise<Greeting>
  /** Client: plain request to wire, wire result to plain. */
  sending(link: Link, self: ClientSide): Call
  /** Client: reports changes until `signal` aborts; resolves once the server has accepted. */
  watch(link: Link, watch: Watch): Promise<void>
  /** Client: how an input request of the server is answered in this revision. */
  answering(answer: AnswerInput): AnswerInput

  /** Its rules over HTTP. */
  readonly http: HttpRules
  /** Server: refuses a request whose HTTP headers contradict its body. */
  checkHeaders(incoming: Incoming): void
  /** Server: serves one request that its vocabulary has checked. */
  receive(incoming: Incoming, conversation: Conversation): Promise<Fields> | Fields
  /** Server: handles a notification. */
  notified(method: string, params: Fields, conversation: Conversation): void
}

/** The client that sent a request. */
export interface Caller {
  readonly revision: string
  /** The client's name and version; self-reported, so never a reason to trust it. */
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
  /** The minimum level of log messages, if the caller wants any. */
  readonly logLevel: LogLevel | undefined
  /** The authenticated principal, if there is one. */
  readonly principal: string | undefined
  /** The granted scopes, if authorization is used. */
  readonly scopes?: readonly string[] | undefined
  /** The claims of the token, if there is one. */
  readonly claims?: Fields | undefined
}

/** A request in a form that does not depend on the revision. */
export interface ServerRequest {
  readonly method: string
  readonly params: Fields
  readonly caller: Caller
  readonly incoming: Incoming
  readonly input: ClientInput
  /** The connection or session it came in on; undefined where each request stands alone. */
  readonly session?: object | undefined
  /** The limits of its server. @default none */
  readonly limits?: InputLimits
  /** True for work that an earlier process accepted, which does not count against rates again. @default false */
  readonly isResumed?: boolean
  /** For relays, in revisions with input rounds: ends this round, and resumes the last one. */
  readonly rounds?: Rounds
  /** Data that extensions have added, by their id. */
  readonly added?: { readonly [extension: string]: unknown }
}

/** The part of a request that access checks need. */
export type Asking = Pick<ServerRequest, 'method' | 'caller' | 'incoming'>

/** Options of an input request. */
export interface AskingOptions {
  /** Its key, where the revision has keys. @default a name made of its words */
  readonly key?: string | undefined
  /** Withdraws it, where the revision can; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The way by which a handler sends requests and notifications to the client. */
export interface ClientInput {
  /**
   * Sends an input request, under a key where the revision has keys; rejects when the client did not declare the
   * capability.
   */
  ask(method: string, params: Fields, options?: AskingOptions): Promise<Fields>
  /** Sends a notification about the request, if the revision has it. */
  tell(method: string, params: Fields): Promise<void> | undefined
  /** Runs a side effect once; its result is remembered when the handler is run again. */
  once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T>
  /** Ends the request when the handler waits for an answer that will come with the next one. */
  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields
}

/** An input request in the form of the newest revision. */
export interface ClientQuestion {
  readonly method: string
  readonly params: Fields
}

/** The input rounds of a relayed call: each ends with questions, and the next one brings the answers. */
export interface Rounds {
  /** The state and answers of the last round, when this one continues it. */
  readonly resumed:
    | {
        /** The state that was passed to `require`. */
        readonly state: unknown
        /** The checked answers, by key; unanswered questions are missing. */
        readonly answers: { readonly [key: string]: Fields }
      }
    | undefined
  /** The checked answer that the caller sent for this key, asked or not. */
  given(key: string, method: string): Fields | undefined
  /** Ends this round with questions; `state` is sealed and comes back with the next round. */
  require(questions: { readonly [key: string]: ClientQuestion }, state: unknown): Promise<InputRequired>
}

/** Options of a side effect that must not happen twice. */
export interface OnceOptions {
  /**
   * Allows another run when it is unknown whether it took effect, because the process ended meanwhile.
   * @default false
   */
  readonly repeatable?: boolean
}

/** Thrown to end a request with questions; the client sends it again with the answers. */
export class InputRequired {
  readonly requests: { readonly [key: string]: { readonly method: string; readonly params: Fields } }
  readonly state: string

  constructor(requests: InputRequired['requests'], state: string) {
    this.requests = requests
    this.state = state
  }
}

/** Serves one request; `server.use` wraps it. */
export type ServerHandler = (request: ServerRequest) => Promise<Fields | InputRequired> | Fields | InputRequired

/** The server as dialects see it. */
export interface ServerSide {
  readonly info: Implementation
  /** The instructions for the caller's model. */
  instructions(caller: Caller): string | undefined
  /** Its capabilities. */
  readonly capabilities: ServerCapabilities
  /** The capabilities that it declares to a caller, extensions included. */
  declares(sender: Sender | undefined): ServerCapabilities
  /** True if handlers end input rounds themselves instead of being replayed. */
  readonly relays?: boolean
  /** Time that the answer to `server/discover` may be cached. */
  readonly cache: CacheHint
  /** Every revision it serves, newest first. */
  readonly dialects: readonly Dialect[]
  readonly handle: ServerHandler
  readonly sealer: Sealer
  readonly limits: InputLimits
  /** Store for the side effects of calls that may arrive again. */
  readonly effects?: EffectStore | undefined
  /** The store of effects that several processes share. */
  readonly sharedEffects?: Required<EffectStore> | undefined
  /** Logs an internal error. */
  report(error: unknown, what: string): void
  /** The header parameters of a tool. */
  headerParams(tool: string, caller: Caller): readonly HeaderParam[]
  /** Refuses a caller that lacks the scopes of a resource it wants to watch. */
  checkWatch(uris: readonly string[], asking: Asking): void
  /**
   * Calls `watcher` on every change that the caller may know of, until the returned function is called; `uris` are the
   * resources it watches.
   */
  watch(caller: Caller, watcher: (change: Change) => void, uris?: readonly string[]): StopWatching
  /** Reports of extensions to a listening client; undefined when there are none. */
  readonly listen?: (filter: Fields, asking: Asking) => Promise<readonly ListenExtension[]>
}

/** Reports of one extension on a listen stream. */
export interface ListenExtension {
  /** The part of the filter that is honoured; sent in the acknowledgement. */
  readonly honoured: Fields
  /**
   * Starts reporting, until the returned function is called; of the notifications with one key only the latest waits.
   */
  start(tell: (key: string, method: string, params: Fields) => void): () => void
}

/** Ends a watch. */
export interface StopWatching {
  (): void
  /** Resolves when no change is missed any more; the client is not answered before. Never rejects. @default at once */
  readonly ready?: Promise<void> | undefined
  /** Tells this watcher alone of a change. */
  readonly hear?: ((change: Change) => void) | undefined
  /** Tells this watcher that everything it watches may have changed, up to a number of the log of changes. */
  readonly hearAll?: ((number: number) => void) | undefined
}

/** The state of one connection on the server, for as long as its channel is open. */
export interface Conversation {
  readonly server: ServerSide
  /** Undefined where the server cannot send notifications. */
  readonly notify: Notify | undefined
  /** Set by a handshake; a stateless request names its own revision. */
  dialect: Dialect | undefined
  caller: Caller | undefined
  /** The subscriptions, and how each is stopped. */
  readonly watching: Map<string | symbol, StopWatching>
  /** Aborts when the server shuts down, to end listen requests. */
  readonly ending: AbortSignal
}

/** The client's end of a channel, as dialects use it. */
export interface Link {
  readonly call: Call
  readonly notify: Notify
  /** Receives every notification until the returned function is called. */
  listen(listener: (method: string, params: Fields) => void): () => void
  /** Aborts when the channel is closed. */
  readonly gone: AbortSignal
}

/** The call to which a request or notification of the server belongs. */
export interface DuringCall {
  /** The `context` option of that call; undefined where the transport cannot tell which call it was. */
  readonly context: unknown
  /** Aborts when the server no longer needs the answer. */
  readonly signal?: AbortSignal | undefined
  /** The original params, where the answerer gets the form of the newest revision. */
  readonly original?: Fields | undefined
  /** The key of the input request, in revisions that have keys. */
  readonly key?: string | undefined
}

/** Answers a request of the server during a call of the client. */
export type AnswerInput = (method: string, params: Fields, during?: DuringCall) => Promise<Fields>

/** The client as dialects see it. */
export interface ClientSide {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
  readonly answer: AnswerInput
  /** The current minimum level of log messages, if any are wanted. */
  logLevel(): LogLevel | undefined
  /** Rounds of input requests in one call. @default 10 */
  readonly maxInputRoundsPerCall: number
  /** True if errors are passed on to callers of any revision. @default false */
  readonly relays?: boolean
  /** Receives what of a server's answer was left out. */
  warn?(message: string): void
}

export interface Greeting {
  readonly info: Implementation | undefined
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
  /** The revision that the server chose; another than the dialect's own is a counter-offer. */
  readonly revision: string
}

export interface Watch {
  readonly interest: Interest
  /** The filter of extensions. */
  readonly filter?: Fields | undefined
  readonly signal: AbortSignal
  onChange(change: Change): void
  /** Receives all other notifications. */
  onNotice?(method: string, params: Fields): void
  /** Receives the filter that the server honours. */
  onAgreed?(honoured: Fields): void
  /** The server ended the stream. */
  onEnd(reason: unknown): void
}
