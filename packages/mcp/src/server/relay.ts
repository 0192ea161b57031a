import { InputRequired, type ServerSide } from '../dialects/dialect.ts'
import { dialectsFor } from '../dialects/select-dialect.ts'
import { forwardedMeta } from '../model/forwarded-meta.ts'
import type { Implementation } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import { type Sealer, sealer } from '../wire/sealed.ts'
import { Connections, type Servable } from './connections.ts'
import { Extensions } from './enabled-extensions.ts'
import type { ServerOffers } from './extension.ts'
import { PagedList } from './pagination.ts'
import { checkRelayOptions, type RelayOptions } from './relay-options.ts'
import { RequestToRelay } from './request-to-relay.ts'
import { type ServerLimits, serverLimits } from './server-limits.ts'

/** Serves the offers of another server to any caller in any revision. */
export interface Relay extends Servable {
  /** The number of connections. */
  readonly connections: number
  close(): Promise<void>
}

/** Makes a relay; serve it like any server. */
export function relay(options: RelayOptions): Relay {
  checkRelayOptions(options)
  const limits = resolveKnownLimits(serverLimits, options.limits)
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

/** Cache hint for answers that a policy decides: never reused, for any caller. */
const notReused = { ttlMs: 0, scope: 'private' } as const

/** Items per page of lists of extensions. */
const pageSize = 1_000

interface SideParts {
  readonly limits: ServerLimits
  readonly sealer: Sealer
}

function sideOf(options: RelayOptions, extensions: Extensions, parts: SideParts): ServerSide {
  const handle = extensions.passing((context, request) => {
    const outcome = options.handle(new RequestToRelay(request, context))
    return options.ownsMeta ? outcome : answered(outcome)
  })
  const own = infoOf(options)
  return {
    ...parts,
    get info() {
      return options.info?.() ?? own
    },
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
    checkWatch: (uris, { caller }) => options.checkWatch?.(caller, uris),
    watch: (caller, watcher, uris = []) => options.watch?.(caller, watcher, uris) ?? (() => {}),
  }
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

const refuse = (): never => {
  throw new McpError(
    'Misuse',
    'Cannot enable this extension on a relay: it adds resources, and a relay has none of its own',
  )
}

/** The offers of a relay itself: none. */
const noOffers: ServerOffers = {
  resource: refuse,
  template: refuse,
  resources: { has: () => false, remove: refuse, updated: refuse },
  templates: { has: () => false, remove: refuse, listChanged: refuse },
}
