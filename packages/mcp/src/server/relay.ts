import { type Caller, InputRequired, type Rounds, type ServerRequest, type ServerSide } from '../dialects/dialect.ts'
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

/** A request on its way to somebody else, with everything that belonged to this hop taken off. */
export interface RelayRequest {
  readonly method: string
  /** As the caller sent them, unknown fields included; of `_meta` only what is passed on. */
  readonly params: Fields
  readonly caller: Caller
  /** What a handler of this request would be given, with the members that extensions add. */
  readonly ctx: Context
  /** Aborts when the caller cancels or goes away while this request is served. */
  readonly signal: AbortSignal
  /** Whether the caller wants to know how far the work has come. */
  readonly wantsProgress: boolean
  /** Where questions travel in rounds: how to end this one and take up the last. Elsewhere ask with `ask`. */
  readonly rounds: Rounds | undefined
  /** Asks the caller outright; rejects where it did not declare that it can be asked, and where questions travel in rounds. */
  ask(method: string, params: Fields): Promise<Fields>
  /** Reports progress, if the caller asked for it. */
  progress(report: Progress): void
  /** Passes on a log message, if the caller wants messages this severe. */
  log(message: LogMessage): void
}

/** What a relay offers and how it answers. */
export interface RelayOptions extends Implementation, Pick<ServerOptions, 'keys' | 'revisions' | 'limits'> {
  readonly capabilities: ServerCapabilities
  /** How to use it, for the model of this caller. */
  instructions?(caller: Caller): string | undefined
  /** Answers a request; nothing of the answer is checked or changed beyond what the caller's revision cannot read. */
  handle(request: RelayRequest): Promise<Fields | InputRequired> | Fields | InputRequired
  /** Calls back on changes for this caller, until the returned function is called; `uris` are the resources it watches. */
  watch?(caller: Caller, onChange: (change: Change) => void, uris: readonly string[]): () => void
  /** The extensions to switch on. @default none */
  readonly extensions?: readonly ServerExtension[]
  /** What extensions are to know of a tool, in the members they add to definitions; nothing, when there is no such tool. */
  tool?(name: string, caller: Caller): object | undefined
  /** The arguments of a tool that also travel as headers. */
  headerParams?(tool: string, caller: Caller): readonly HeaderParam[]
  /** Told of errors that callers hear no more of than that something failed. @default prints them to standard error */
  onError?(error: unknown, what: string): void
}

/** Serves what somebody else offers: any caller, any revision, and the requests as they came. */
export interface Relay extends Servable {
  /** How many are connected. */
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

/** Items per page of what extensions list. */
const pageSize = 1_000

interface SideParts {
  readonly limits: ServerLimits
  readonly sealer: Sealer
}

function sideOf(options: RelayOptions, extensions: Extensions, parts: SideParts): ServerSide {
  const handle = extensions.passing((context, request) => answered(options.handle(requestOf(request, context))))
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
    caller,
    get ctx() {
      return context()
    },
    get signal() {
      return incoming.signal
    },
    wantsProgress: token !== undefined,
    rounds,
    ask: (asked, about) => input.ask(asked, about),
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

/** An answer without what the server said of its own hop. */
function withoutHop(outcome: Outcome): Outcome {
  if (outcome instanceof InputRequired || outcome._meta === undefined) return outcome
  const { _meta, ...rest } = outcome
  const meta = forwardedMeta(_meta as Fields)
  return meta ? { ...rest, _meta: meta } : rest
}

function logError(error: unknown, what: string): void {
  console.error(`Could not relay ${what}:`, error)
}

// whoever is gone is told nothing more, and says so through the signal
function ignore(): void {}
