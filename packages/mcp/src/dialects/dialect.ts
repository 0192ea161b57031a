import type { ExtensionWords } from '../model/extension.ts'
import type { HeaderParam } from '../model/header-params.ts'
import type { ClientCapabilities, ServerCapabilities } from '../model/input.ts'
import type { Method } from '../model/methods.ts'
import type { CacheHint, Change, Implementation, Interest, LogLevel } from '../model/types.ts'
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

/** One protocol revision: everything the rest of the code would otherwise ask a version number about. */
export interface Dialect {
  readonly revision: string
  /** What each side may say; a method outside it does not exist. */
  readonly vocabulary: Vocabulary
  /** What holds for each method, those of extensions included. */
  readonly methods: ReadonlyMap<string, Method>
  /** The kinds of result that extensions bring, by `resultType`. */
  readonly resultTypes: ReadonlyMap<string, Shape>
  /** The same revision with extensions switched on, as far as they are spoken in it. */
  extended(extensions: readonly ExtensionWords[]): Dialect
  /** Whether several messages may travel as one array. */
  readonly batches: boolean
  /** Whether every request explains itself, or a handshake comes first. */
  readonly opening: 'handshake' | 'none'
  /** How a failure is sent whose request had no readable id. */
  readonly unreadableId: 'null' | 'omitted'

  /** Client: opens the conversation; what the server offers has yet to be agreed to. */
  greet(link: Link, self: ClientSide): Promise<Greeting>
  /** Client: plain request to wire, wire result to plain. */
  sending(link: Link, self: ClientSide): Call
  /** Client: reports the changes asked for until `signal` aborts; resolves once the server has agreed. */
  watch(link: Link, watch: Watch): Promise<void>
  /** Client: how an input request of the server is answered in this revision. */
  answering(answer: AnswerInput): AnswerInput

  /** How it travels over HTTP. */
  readonly http: HttpRules
  /** Server: refuses a request whose HTTP headers say something else than its body. */
  checkHeaders(incoming: Incoming): void
  /** Server: serves one request that the vocabulary has already checked. */
  receive(incoming: Incoming, conversation: Conversation): Promise<Fields> | Fields
  /** Server: takes note of a notification. */
  notified(method: string, params: Fields, conversation: Conversation): void
}

/** Who is calling, whichever way the revision tells it. */
export interface Caller {
  readonly revision: string
  /** Who the client says it is; self-reported, so never a reason to trust it. */
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
  /** The least severe log message the caller wants, if it wants any. */
  readonly logLevel: LogLevel | undefined
  /** Who was authenticated by the transport, if anybody was. */
  readonly principal: string | undefined
  /** What they may do, where the transport limits that. */
  readonly scopes?: readonly string[] | undefined
  /** What the authorization server says about them, if there is one. */
  readonly claims?: Fields | undefined
}

/** A request with nothing of the revision left in it. */
export interface ServerRequest {
  readonly method: string
  readonly params: Fields
  readonly caller: Caller
  readonly incoming: Incoming
  readonly input: ClientInput
  /** For a server that passes requests on, where questions travel in rounds: how it ends this one and takes up the last. */
  readonly rounds?: Rounds
  /** What extensions have found out about it so far, by their id. */
  readonly added?: { readonly [extension: string]: unknown }
}

/** What of a request decides whether it may be made. */
export type Asking = Pick<ServerRequest, 'method' | 'caller' | 'incoming'>

/** What a handler asks of the client while it works. */
export interface ClientInput {
  /** Asks one question, by a name where questions have one; rejects when the client did not declare that it can be asked. */
  ask(method: string, params: Fields, key?: string): Promise<Fields>
  /** Tells the client something about the request, as far as its revision has words for it. */
  tell(method: string, params: Fields): Promise<void> | undefined
  /** Runs a side effect whose result is remembered if the handler has to be run again. */
  once<T>(key: string, run: () => T | Promise<T>, options?: OnceOptions): Promise<T>
  /** Lets the handler go when it waits for an answer that will come with another request. */
  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields
}

/** One question to a client, in the newest revision's words. */
export interface ClientQuestion {
  readonly method: string
  readonly params: Fields
}

/** The rounds of a call that somebody else works on: each ends with questions, and the next brings the answers. */
export interface Rounds {
  /** What the last round left, when this one goes on with it. */
  readonly resumed:
    | {
        /** What was given to `require`. */
        readonly state: unknown
        /** The answers by the names of the questions, checked; a question that was not answered is missing. */
        readonly answers: { readonly [key: string]: Fields }
      }
    | undefined
  /** The answer that the caller sent along to a question of this name, whether it was asked before or not; checked. */
  given(key: string, method: string): Fields | undefined
  /** Ends this round with questions; `state` is sealed for the caller and comes back with the next round. */
  require(questions: { readonly [key: string]: ClientQuestion }, state: unknown): Promise<InputRequired>
}

/** How a side effect is run that must not happen twice. */
export interface OnceOptions {
  /** Whether it may be run again when nobody knows whether it took effect, because the process ended meanwhile. @default false */
  readonly repeatable?: boolean
}

/** What a handler waits for: the request ends with these questions and is made again with the answers. */
export class InputRequired {
  readonly requests: { readonly [key: string]: { readonly method: string; readonly params: Fields } }
  readonly state: string

  constructor(requests: InputRequired['requests'], state: string) {
    this.requests = requests
    this.state = state
  }
}

/** Serves one request; what `use` of a server is put around. */
export type ServerHandler = (request: ServerRequest) => Promise<Fields | InputRequired> | Fields | InputRequired

/** What a dialect needs of the server it speaks for. */
export interface ServerSide {
  readonly info: Implementation
  /** How to use the server, for the model of this caller. */
  instructions(caller: Caller): string | undefined
  /** What it offers. */
  readonly capabilities: ServerCapabilities
  /** What it tells whoever asks that it offers, extensions included. */
  declares(sender: Sender | undefined): ServerCapabilities
  /** Whether handlers end rounds themselves instead of being run again over earlier answers. */
  readonly relays?: boolean
  /** How long what the server says of itself may be reused. */
  readonly cache: CacheHint
  /** Every revision it serves, newest first. */
  readonly dialects: readonly Dialect[]
  readonly handle: ServerHandler
  readonly sealer: Sealer
  readonly limits: InputLimits
  /** Where side effects are kept of calls that may arrive again. */
  readonly effects?: EffectStore
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
  /** The arguments of a tool that also travel as headers. */
  headerParams(tool: string, caller: Caller): readonly HeaderParam[]
  /** Refuses whoever lacks the scopes of a resource that they want to be told of. */
  checkWatch(uris: readonly string[], asking: Asking): void
  /**
   * Calls `watcher` on every change that the caller may know of, until the returned function is called; `uris` are the
   * resources it watches.
   */
  watch(caller: Caller, watcher: (change: Change) => void, uris?: readonly string[]): () => void
  /** What extensions report to a client that listens; there only where one of them does. */
  readonly listen?: (filter: Fields, asking: Asking) => Promise<readonly ListenExtension[]>
}

/** What an extension reports on a stream that a client listens on. */
export interface ListenExtension {
  /** The part of the filter that is honoured, told to the client before anything else. */
  readonly honoured: Fields
  /** Starts reporting, until the returned function is called; of the notices under one key only the latest waits. */
  start(tell: (key: string, method: string, params: Fields) => void): () => void
}

/** What lasts as long as one channel does. */
export interface Conversation {
  readonly server: ServerSide
  /** Missing where nobody would hear. */
  readonly notify: Notify | undefined
  /** Set by a handshake; a stateless request says everything itself. */
  dialect: Dialect | undefined
  caller: Caller | undefined
  /** Everything that is told of changes, and how each is stopped. */
  readonly watching: Map<string | symbol, () => void>
  /** Aborts when the server wants to end what would otherwise never end. */
  readonly ending: AbortSignal
}

/** The client's end of a channel. */
export interface Link {
  readonly call: Call
  readonly notify: Notify
  /** Hears every notification until the returned function is called. */
  listen(listener: (method: string, params: Fields) => void): () => void
  /** Aborts when the channel is gone. */
  readonly gone: AbortSignal
}

/** What is known of the call during which a server asks or tells something. */
export interface DuringCall {
  /** The `context` that was given to that call; undefined where the transport does not tell which call it was. */
  readonly context: unknown
  /** Aborts when the server does not need the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** What was asked as it came, where the answerer gets it in the newest revision's words. */
  readonly original?: Fields | undefined
  /** What the server calls the question, where questions have names. */
  readonly key?: string | undefined
}

/** Answers what the other side asks while a call of ours is under way. */
export type AnswerInput = (method: string, params: Fields, during?: DuringCall) => Promise<Fields>

/** What a dialect needs of the client it speaks for. */
export interface ClientSide {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
  readonly answer: AnswerInput
  /** The least severe log message this client wants at the moment, if any. */
  logLevel(): LogLevel | undefined
  /** How often one call may be asked for input. @default 10 */
  readonly maxInputRoundsPerCall: number
}

export interface Greeting {
  readonly info: Implementation | undefined
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
  /** The revision the server wants to speak; another than the dialect's own is a counter-offer. */
  readonly revision: string
}

export interface Watch {
  readonly interest: Interest
  /** What is asked for beside changes, for extensions. */
  readonly filter?: Fields | undefined
  readonly signal: AbortSignal
  onChange(change: Change): void
  /** Told of whatever else the server reports. */
  onNotice?(method: string, params: Fields): void
  /** Told what the server will report, where it says so. */
  onAgreed?(honoured: Fields): void
  /** The server stopped reporting of its own accord. */
  onEnd(reason: unknown): void
}
