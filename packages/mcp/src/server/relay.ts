import {
  type AskingOptions,
  type Caller,
  InputRequired,
  type Rounds,
  type ServerRequest,
  type ServerSide,
} from '../dialects/dialect.ts'
import { dialectsFor } from '../dialects/select-dialect.ts'
import { controlMethods } from '../model/control-methods.ts'
import { forwardedMeta } from '../model/forwarded-meta.ts'
import type { HeaderParam } from '../model/header-params.ts'
import type { ServerCapabilities } from '../model/input.ts'
import { type Change, type Implementation, type LogMessage, logLevels } from '../model/types.ts'
import type { Progress } from '../rpc/pending-call.ts'
import type { Fields } from '../wire/messages.ts'
import { refuseUnknownLimits, resolveLimits } from '../wire/resolve-limits.ts'
import { type Sealer, sealer } from '../wire/sealed.ts'
import { Connections, type Servable } from './connections.ts'
import type { Context } from './context.ts'
import { Extensions } from './enabled-extensions.ts'
import type { ServerExtension } from './extension.ts'
import { type ServerLimits, serverLimits } from './limits.ts'
import { noOffers } from './no-offers.ts'
import { PagedList } from './pagination.ts'
import type { ServerOptions } from './server-options.ts'

/** A request to relay, without the members that belong to this hop. */
export interface RelayRequest {
  readonly method: string
  /** The params as the caller sent them, unknown fields included; `_meta` without the members of this hop. */
  readonly params: Fields
  /** All of `_meta` as the caller sent it, for relays that keep an extension themselves. */
  readonly meta: Fields | undefined
  readonly caller: Caller
  /** The context of a handler, with the members of extensions. */
  readonly ctx: Context
  /** Aborts when the caller cancels or disconnects. */
  readonly signal: AbortSignal
  /** Whether the caller asked for progress. */
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
export interface RelayOptions extends Implementation, Pick<ServerOptions, 'keys' | 'revisions' | 'limits'> {
  readonly capabilities: ServerCapabilities
  /** The instructions for the caller's model. */
  instructions?(caller: Caller): string | undefined
  /** Answers a request; the answer is only changed where the caller's revision requires it. */
  handle(request: RelayRequest): Promise<Fields | InputRequired> | Fields | InputRequired
  /** Calls back on changes for this caller, until the returned function is called; `uris` are the resources it watches. */
  watch?(caller: Caller, onChange: (change: Change) => void, uris: readonly string[]): () => void
  /** The extensions to enable. @default none */
  readonly extensions?: readonly ServerExtension[]
  /** The extension members of a tool's definition; undefined when there is no such tool. */
  tool?(name: string, caller: Caller): object | undefined
  /** The header parameters of a tool. */
  headerParams?(tool: string, caller: Caller): readonly HeaderParam[]
  /**
   * Whether `handle` removes what belongs to the other hop from `_meta` itself, with `forwardedMeta`, so that it can add
   * names of this hop. @default false: they are removed from every answer
   */
  readonly ownsMeta?: boolean
  /** Receives internal errors; callers only get a generic error. @default prints them to standard error */
  onError?(error: unknown, what: string): void
}

/** Serves the offers of another server to any caller in any revision. */
export interface Relay extends Servable {
  /** The number of connections. */
  readonly connections: number
  close(): Promise<void>
}

/** Makes a relay; serve it like any server. */
export function relay(options: RelayOptions): Relay {
  refuseUnknownLimits(options.limits, serverLimits)
  const limits = resolveLimits(serverLimits, options.limits)
  const seals = sealer(options.keys ? { keys: options.keys } : {})
  const extensions = extensionsOf(options, limits, seals)
  const connections = new Connections(sideOf(options, extensions, { limits, sealer: seals }), limits)
  return {
    serve(channel) {
      extensions.start()
      return connections.serve(channel)
    },
    answering(ending) {
      extensions.start()
      return connections.answering(ending)
    },
    report: (error, what) => connections.report(error, what),
    dialects: connections.dialects,
    get connections() {
      return connections.size
    },
    async close() {
      await connections.close()
      await extensions.close()
    },
  }
}

function infoOf({ name, version, title, description, websiteUrl, icons }: RelayOptions): Implementation {
  const shown = { title, description, websiteUrl, icons }
  const given = Object.entries(shown).filter(([, value]) => value !== undefined)
  return { name, version, ...Object.fromEntries(given) }
}

function extensionsOf(options: RelayOptions, limits: ServerLimits, seals: Sealer): Extensions {
  const { onError: report = logError } = options
  const extensions: Extensions = new Extensions(options.extensions ?? [], {
    info: infoOf(options),
    sealer: seals,
    limits,
    pageSize,
    cache: notReused,
    offers: noOffers,
    list: (list) => new PagedList({ ...list, sealer: seals, cache: notReused, pageSize }),
    report,
    warn: (message) => console.warn(message),
    find(name, caller) {
      const definition = options.tool?.(name, caller)
      return definition && extensions.kept(name, definition)
    },
  })
  return extensions
}

/** What a policy decides must not be reused for anybody. */
const notReused = { ttlMs: 0, scope: 'private' } as const

/** Items per page of lists of extensions. */
const pageSize = 1_000

interface SideParts {
  readonly limits: ServerLimits
  readonly sealer: Sealer
}

function sideOf(options: RelayOptions, extensions: Extensions, parts: SideParts): ServerSide {
  const handle = extensions.passing((context, request) => {
    const outcome = options.handle(requestOf(request, context))
    return options.ownsMeta ? outcome : answered(outcome)
  })
  return {
    ...parts,
    info: infoOf(options),
    instructions: (caller) => options.instructions?.(caller),
    capabilities: options.capabilities,
    declares: (sender) => extensions.declared(options.capabilities, sender),
    relays: true,
    cache: notReused,
    dialects: dialectsFor(options.revisions, options.extensions),
    handle: extensions.around(handle),
    ...(extensions.listen && { listen: extensions.listen }),
    report: (error, what) => (options.onError ?? logError)(error, what),
    headerParams: (tool, caller) => options.headerParams?.(tool, caller) ?? [],
    checkWatch() {},
    watch: (caller, watcher, uris = []) => options.watch?.(caller, watcher, uris) ?? (() => {}),
  }
}

function requestOf(
  { method, params, caller, incoming, input, rounds }: ServerRequest,
  context: () => Context,
): RelayRequest {
  const { _meta, requestState, inputResponses, ...rest } = params
  const meta = forwardedMeta(_meta as Fields | undefined)
  const token = (_meta as Fields | undefined)?.progressToken
  return {
    method,
    params: meta ? { ...rest, _meta: meta } : rest,
    meta: _meta as Fields | undefined,
    caller,
    get ctx() {
      return context()
    },
    get signal() {
      return incoming.signal
    },
    wantsProgress: token !== undefined,
    rounds,
    ask: (asked, about, options) => input.ask(asked, about, options),
    progress: (report) => {
      if (token !== undefined)
        void input.tell(controlMethods.progress, { ...report, progressToken: token })?.catch(ignore)
    },
    log: (message) => {
      if (wants(caller, message)) void input.tell('notifications/message', { ...message })?.catch(ignore)
    },
  }
}

function wants({ logLevel }: Caller, { level }: LogMessage): boolean {
  return logLevel !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(logLevel)
}

type Outcome = Fields | InputRequired

function answered(outcome: Promise<Outcome> | Outcome): Promise<Outcome> | Outcome {
  return outcome instanceof Promise ? outcome.then(withoutHop) : withoutHop(outcome)
}

/** An answer without the members that belong to the other hop. */
function withoutHop(outcome: Outcome): Outcome {
  if (outcome instanceof InputRequired || outcome._meta === undefined) return outcome
  const { _meta, ...rest } = outcome
  const meta = forwardedMeta(_meta as Fields)
  return meta ? { ...rest, _meta: meta } : rest
}

function logError(error: unknown, what: string): void {
  console.error(`Could not relay ${what}:`, error)
}

// the signal reports a caller that has disconnected
function ignore(): void {}
