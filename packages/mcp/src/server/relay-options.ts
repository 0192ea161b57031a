import type { AskingOptions, Caller, InputRequired, Rounds, StopWatching } from '../dialects/dialect.ts'
import type { HeaderParam } from '../model/header-params.ts'
import type { Change, Implementation, LogMessage, ServerCapabilities } from '../model/types.ts'
import type { Progress } from '../rpc/pending-call.ts'
import { McpError } from '../wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from '../wire/known-options.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import type { Context } from './context.ts'
import type { ServerExtension } from './extension.ts'
import type { ServerLimits } from './server-limits.ts'
import type { ServerOptions } from './server-options.ts'

/** A request to relay, without the members that belong to this hop. */
export interface RelayRequest {
  readonly method: string
  /** The params as the caller sent them, unknown fields included; `_meta` without the members of this hop. */
  readonly params: Fields
  /** All of `_meta` as the caller sent it, for relays that keep an extension themselves. */
  readonly meta: Fields | undefined
  readonly caller: Caller
  /** Equal for requests of the same connection or session; undefined where each request stands alone. */
  readonly session: object | undefined
  /** The context of a handler, with the members of extensions. */
  readonly ctx: Context
  /** Aborts when the caller cancels or disconnects. */
  readonly signal: AbortSignal
  /** True if the caller asked for progress. */
  readonly wantsProgress: boolean
  /** The input rounds, in revisions that have them; in others use `ask`. */
  readonly rounds: Rounds | undefined
  /** Sends an input request; rejects when the caller did not declare it, and in revisions with rounds. `signal` withdraws it. */
  ask(method: string, params: Fields, options?: Pick<AskingOptions, 'signal'>): Promise<Fields>
  /** Reports progress, if the caller asked for it. */
  progress(report: Progress): void
  /** Sends a log message, if it is at least of the level that the caller wants. */
  log(message: LogMessage): void
}

/** Options of {@link relay}. */
export interface RelayOptions extends Implementation, Pick<ServerOptions, 'keys' | 'revisions'> {
  /** Limits of one connection and one call. */
  readonly limits?: Partial<ServerLimits>
  readonly capabilities: ServerCapabilities
  /** The name and version to tell callers instead, the same object while they do not change. @default those of the relay */
  info?(): Implementation | undefined
  /** The instructions for the caller's model. */
  instructions?(caller: Caller): string | undefined
  /** Answers a request; the answer is only changed where the caller's revision requires it. */
  handle(request: RelayRequest): Promise<Fields | InputRequired> | Fields | InputRequired
  /** Refuses to let a caller watch resources, by throwing an `RpcError`. @default nothing is refused */
  checkWatch?(caller: Caller, uris: readonly string[]): void
  /** Calls back on changes for this caller, until the returned function is called; `uris` are the resources it watches. */
  watch?(caller: Caller, onChange: (change: Change) => void, uris: readonly string[]): StopWatching
  /** The extensions to enable. @default none */
  readonly extensions?: readonly ServerExtension[]
  /** The extension members of a tool's definition; undefined when there is no such tool. */
  tool?(name: string, caller: Caller): object | undefined
  /** The header parameters of a tool. */
  headerParams?(tool: string, caller: Caller): readonly HeaderParam[]
  /**
   * True if `handle` removes the members of the other hop from `_meta` itself, with `forwardedMeta`, so that it can
   * add names of this hop. @default false: they are removed from every answer
   */
  readonly ownsMeta?: boolean
  /** Receives internal errors; callers only get a generic error. @default prints them to standard error */
  onError?(error: unknown, what: string): void
}

/** Refuses options of a relay that do not exist, and a relay that answers nothing. */
export function checkRelayOptions(options: unknown): void {
  if (!isObject(options) || typeof options.handle !== 'function')
    throw new McpError('Misuse', 'Cannot make a relay: give relay({ name, version, capabilities, handle })')
  refuseUnknownOptions('Cannot make a relay', options, knownOptions)
}

const knownOptions = {
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  keys: true,
  revisions: true,
  limits: true,
  capabilities: true,
  info: true,
  instructions: true,
  handle: true,
  checkWatch: true,
  watch: true,
  extensions: true,
  tool: true,
  headerParams: true,
  ownsMeta: true,
  onError: true,
} as const satisfies KnownOptions<RelayOptions>
