import { type Caller, type Change, type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import { InputRequired, type Relay, type RelayRequest, relay } from '@trunkline/mcp/relay'
import { type ServerTaskOptions, type TaskContext, tasks } from '@trunkline/mcp/tasks'
import type { Act, Principal } from '../act/act.ts'
import { newActId } from '../act/act-id.ts'
import { randomHex } from '../act/random-hex.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ActHandler, Doing } from '../acts/doing.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { effectsOf } from '../catalogue/effects.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { OpenCall } from '../relay/open-call.ts'
import { OpenCallError, type OpenCalls } from '../relay/open-calls.ts'
import type { GivenTerms } from '../relay/terms/given-terms.ts'
import { keptContract, signalMethod } from '../relay/terms/signal-method.ts'
import type { SpilledAddresses } from '../relay/terms/spilled-address.ts'
import type { Instance } from '../servers/server-instances.ts'
import { answerFailure } from './answer-failure.ts'
import { hiddenServers } from './hidden-servers.ts'
import { instructionsOf } from './instructions.ts'
import { knownHeaderParams } from './known-header-params.ts'
import { type OwnOffers, ownServer } from './own-offers.ts'
import { type OwnedResource, ResourceOwners } from './owner.ts'
import { listResources } from './resource-list.ts'
import { ResourceSearch } from './resource-search.ts'
import { type FrontOptions, type ProjectScope, rememberViews } from './scope.ts'
import { type CursorSeal, cursorSeal } from './sealed-cursor.ts'
import { withShownLinks } from './shown-links.ts'
import type { SignalledCalls } from './signalled-calls.ts'
import { SkillOffers } from './skill-offers.ts'
import { Targets, type Wanted } from './targets.ts'
import { termsFor } from './terms-for.ts'
import { refuseLoop, traced, traceIdOf } from './trace-context.ts'
import { entryNamed, type View, viewFor, visibleEntries } from './view.ts'
import { wantsTask } from './wants-task.ts'
import type { Watchers } from './watchers.ts'
import type { Wire } from './wire/wire.ts'

export interface GatewayParts {
  readonly catalogue: Catalogue
  readonly calls: OpenCalls
  /** The stack of acts, to the server and back. */
  readonly stack: ActHandler
  /** Holds a call to the terms of its caller. */
  govern(doing: Doing, does: ActHandler): Promise<Fields>
  /** Tools and resources of the host itself. */
  readonly own: OwnOffers
  /** The large results that servers keep. */
  readonly spilled: SpilledAddresses
  /** The calls that take signals. */
  readonly signalled: SignalledCalls
  readonly watchers: Watchers
  readonly wire: Wire
  /** Keys that seal state carried back by callers; kept in the store, so that a restart can read it. */
  readonly keys: readonly string[]
  readonly version: string
  /** The principal of a caller, by the authentication of the transport. */
  principalOf(caller: Caller): Principal
  /** The project of a caller's acts, by the project of the view that was found for it. */
  projectIn(view: View, caller: Caller): string | undefined
  /** The project of a caller, if it is known already. */
  scopeOf(caller: Caller): ProjectScope | undefined
  /** Finds the project of a caller. */
  openScope(request: RelayRequest): Promise<ProjectScope>
  /** Offers for callers whose project is unknown. */
  readonly usualScope: ProjectScope
  /** Judges and records a subscription; throws where it is denied. */
  judgeWatch(act: Act): void
  /** True if the principal of an act may see a server in lists. */
  mayList(act: Act): boolean
  /** Limits and records a call of something that does not exist. */
  unknown(does: ActHandler): ActHandler
  /** Learns the offers of servers that were never seen, for as long as a caller can wait. */
  learn(servers: readonly ServerKey[]): Promise<void>
  /** The instance of a server that works for a caller. */
  instanceOf(server: ServerKey, caller: Caller): Instance
  /** Store and limits of the tasks that an address hands out. */
  tasksAt(path: string): ServerTaskOptions
  /** Addresses that are open; each stays open from when it was first asked for. @default 1_000 */
  readonly maxFronts?: number
  onError?(error: unknown, what: string): void
}

const defaultMaxFronts = 1_000
/** A call becomes a task when its caller asks for one, or when it is long and the caller can take one. */
const taskSupport = { task: 'optional', asksFirst: true } as const

type Outcome = Fields | InputRequired
type Handler = (request: RelayRequest, view: View) => Promise<Outcome>

/** One front for many servers: each address shows a view of the catalogue, and whatever is asked becomes an act. */
export class Gateway {
  readonly #parts: GatewayParts
  readonly #owners: ResourceOwners
  readonly #seal: CursorSeal
  readonly #targets: Targets
  readonly #skills: SkillOffers
  readonly #handlers: ReadonlyMap<string, Handler>
  readonly #fronts = new Map<string, Relay>()

  constructor(parts: GatewayParts) {
    this.#parts = parts
    this.#owners = new ResourceOwners(parts.catalogue)
    this.#seal = cursorSeal(parts.keys)
    const { catalogue, stack } = parts
    const search = new ResourceSearch({ catalogue, stack, owners: this.#owners })
    this.#skills = new SkillOffers({ ...parts, owners: this.#owners })
    this.#targets = new Targets({ ...parts, owners: this.#owners, search, skills: this.#skills })
    this.#handlers = new Map<string, Handler>([
      ['tools/list', (request, view) => this.#tools(request, view)],
      ['prompts/list', ({ caller }, view) => this.#list(this.#listed(caller, view), 'prompt', 'prompts')],
      [
        'resources/templates/list',
        async ({ caller }, view) => ({ ...(await this.#targets.templates(this.#listed(caller, view))), ...notReused }),
      ],
      ['resources/list', (request, view) => this.#resources(request, view)],
      ['skills/list', ({ caller }, view) => this.#skills.list(this.#listed(caller, view))],
      ['skills/get', ({ caller, params }, view) => this.#skills.get(String(params.uri), this.#listed(caller, view))],
      [
        'resources/directory/read',
        ({ caller, params }, view) => this.#skills.directory(String(params.uri), this.#listed(caller, view)),
      ],
      [
        'tools/call',
        (request, view) => this.#act(request, view, () => this.#targets.named(request, view, 'tool', 'call')),
      ],
      [
        'prompts/get',
        (request, view) => this.#act(request, view, () => this.#targets.named(request, view, 'prompt', 'prompt')),
      ],
      [
        'resources/read',
        (request, view) => this.#act(request, view, () => this.#targets.read(request, view)).then(ofThisCaller),
      ],
      [
        'completion/complete',
        (request, view) => this.#act(request, view, () => this.#targets.completion(request, view)),
      ],
      [signalMethod, (request, view) => this.#act(request, view, () => this.#signal(request))],
    ])
  }

  /** An address of the gateway, to be served like any server; the same each time, since it owns the tasks it hands out. */
  front(path: string, { name, viewOf, info }: FrontOptions): Relay {
    const known = this.#fronts.get(path)
    if (known) return known
    const { maxFronts = defaultMaxFronts, wire } = this.#parts
    if (this.#fronts.size >= maxFronts) {
      throw new Error(`Cannot open "${path}": this host serves ${maxFronts} addresses already; restart it`)
    }
    const front = wire.front(this.#open(path, { name, info, viewOf: rememberViews(viewOf) }))
    this.#fronts.set(path, front)
    return front
  }

  /** Closes every address. */
  async close(): Promise<void> {
    await Promise.all([...this.#fronts.values()].map((front) => front.close()))
    this.#fronts.clear()
  }

  #open(path: string, { name, info, viewOf }: FrontOptions): Relay {
    const { keys, version, watchers, onError, catalogue, tasksAt, scopeOf, openScope, usualScope } = this.#parts
    return relay({
      extensions: [
        tasks(tasksAt(path)),
        keptContract,
        this.#skills.announced((caller) => viewOf(scopeOf(caller) ?? usualScope)),
      ],
      // members that servers write there are removed on arrival, so the rest is the host's
      ownsMeta: true,
      tool: () => taskSupport,
      name,
      version,
      ...(info && { info }),
      keys,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      instructions: (caller) => instructionsOf(this.#listed(caller, viewOf(scopeOf(caller) ?? usualScope)), catalogue),
      handle: async (request) => {
        const handler = this.#handlers.get(request.method)
        if (!handler) throw new RpcError(-32601, `Cannot serve "${request.method}": no such method`)
        return handler(request, viewOf(scopeOf(request.caller) ?? (await openScope(request))))
      },
      headerParams: (tool, caller) => {
        const scope = scopeOf(caller)
        const found = scope && entryNamed(viewOf(scope), catalogue, 'tool', tool)
        return found ? knownHeaderParams(found.definition.inputSchema as Fields) : []
      },
      checkWatch: (caller, uris) => this.#judgeWatches(caller, uris, viewOf(scopeOf(caller) ?? usualScope)),
      watch: (caller, onChange, uris) => {
        // the offers for a caller may change with its project while it watches
        const now = (): View => viewOf(scopeOf(caller) ?? usualScope)
        const view: View = { ...now(), servers: () => now().servers() }
        const owned = uris.flatMap((uri) => this.#targets.watched(uri, view))
        const shown = (resource: OwnedResource) => this.#owners.shown(resource, view)
        const instanceOf = (server: ServerKey) => this.#parts.instanceOf(server, caller)
        const watching = watchers.watch({ view, catalogue, owned, shown, instanceOf }, onChange)
        const stops = [watching, this.#ownChanges(caller, onChange)]
        const stop = (): void => {
          for (const each of stops) each()
        }
        return Object.assign(stop, { ready: watching.ready })
      },
      ...(onError && { onError }),
    })
  }

  async #list(view: View, kind: Entry['kind'], member: string): Promise<Fields> {
    await this.#parts.learn(view.servers())
    const entries = visibleEntries(view, this.#parts.catalogue, kind)
    return { [member]: entries.map((entry) => view.show(entry)), ...notReused }
  }

  async #tools({ caller }: RelayRequest, view: View): Promise<Fields> {
    const { own, catalogue, principalOf } = this.#parts
    const principal = principalOf(caller)
    const listed = this.#listed(caller, view)
    const mine = listed.hidden?.has(ownServer) ? [] : own.tools(principal, view)
    const offered = mine.filter(({ name }) => !entryNamed(view, catalogue, 'tool', name))
    if (own.hides(principal, view)) return { tools: offered.map(asTask), ...notReused }
    const { tools, ...rest } = await this.#list(viewFor(listed, caller), 'tool', 'tools')
    return { tools: [...(tools as readonly Fields[]), ...offered].map(asTask), ...rest }
  }

  /** A view without the servers that the policy keeps from this caller's lists. */
  #listed(caller: Caller, view: View): View {
    const act = this.#actOf({ caller, params: {} }, view, { ...listing, server: ownServer, target: 'list' })
    return { ...view, hidden: hiddenServers(act, view.servers(), (one) => this.#parts.mayList(one)) }
  }

  /** Refuses subscriptions that a caller may not make; an address that several servers might have is judged for each. */
  #judgeWatches(caller: Caller, uris: readonly string[], view: View): void {
    for (const uri of uris) {
      for (const { server, uri: target } of this.#targets.watched(uri, view)) {
        const wanted: Wanted = { kind: 'watch', server, target, args: {}, params: {} }
        this.#parts.judgeWatch(this.#actOf({ caller, params: {} }, view, wanted))
      }
    }
  }

  #ownChanges(caller: Caller, onChange: (change: Change) => void): () => void {
    const { own, principalOf } = this.#parts
    return own.onChange(principalOf(caller), () => onChange({ kind: 'tools' }))
  }

  async #resources(request: RelayRequest, view: View): Promise<Fields> {
    const { hidden } = this.#listed(request.caller, view)
    const servers = this.#parts.catalogue.withResources(view.servers())
    return listResources(request, view, {
      servers: servers.filter((server) => !hidden?.has(server)),
      owners: this.#owners,
      seal: this.#seal,
      binding: JSON.stringify(['resources', this.#parts.principalOf(request.caller).id]),
      ask: (server, params) =>
        this.#act(request, view, () => ({ ...listing, server, target: 'resources', params })) as Promise<Fields>,
    })
  }

  /** Does an act, or goes on with one whose caller was away; a later round is never judged or counted again. */
  async #act(request: RelayRequest, view: View, wanted: () => Wanted | Promise<Wanted>): Promise<Outcome> {
    const { calls, wire } = this.#parts
    const resumed = request.rounds?.resumed
    const begun = resumed ? found(() => calls.find(resumed.state)) : this.#begin(request, view, wanted())
    const call = begun instanceof Promise ? await begun : begun
    if (resumed && wire.log.isOpen) wire.log.resumed(call)
    try {
      return await call.attach(request)
    } catch (error) {
      return await answerFailure(error, request)
    } finally {
      calls.left(call)
    }
  }

  /** Begins an act; without a promise where nothing is waited for, since each costs every call. */
  #begin(request: RelayRequest, view: View, wanted: Wanted | Promise<Wanted>): OpenCall | Promise<OpenCall> {
    if (wanted instanceof Promise) return wanted.then((known) => this.#begin(request, view, known))
    refuseLoop(request.params)
    const isTask = (wantsTask(request) && !wanted.isUnknown) || runsAsTask(wanted.entry)
    const detached = isTask ? (request.ctx as Partial<TaskContext>).detach?.() : undefined
    const terms = detached ? detached.then(() => termsFor(request, wanted, view)) : termsFor(request, wanted, view)
    return terms ? terms.then((given) => this.#start(request, view, wanted, given)) : this.#start(request, view, wanted)
  }

  /** Sends an act through its stack, held to the terms of its caller. */
  #start(request: RelayRequest, view: View, wanted: Wanted, given?: GivenTerms): OpenCall {
    const { calls, stack, wire } = this.#parts
    const call = found(() => calls.open(request))
    const folder = given?.terms.cwd
    const asked = this.#actOf(request, view, wanted)
    const act = folder === undefined ? asked : { ...asked, folder }
    const params = traced(wanted.params, act)
    const { entry } = wanted
    const doing: Doing = { act, method: request.method, params, call, ...(entry && { entry }), ...(given && { given }) }
    const acts = wanted.by ?? stack
    const does: ActHandler = given ? (governed) => this.#governed(governed, acts) : acts
    const work = wire.log.isOpen ? wire.log.doing(doing.act, call, () => does(doing)) : does(doing)
    call.start(wanted.by ? work : this.#linked(work, wanted.server, view))
    return call
  }

  #governed(doing: Doing, acts: ActHandler): Promise<Fields> {
    const { govern, signalled } = this.#parts
    return doing.given?.signals ? signalled.during(doing, () => govern(doing, acts)) : govern(doing, acts)
  }

  #signal(request: RelayRequest): Wanted {
    return this.#parts.signalled.wanted(request, this.#parts.principalOf(request.caller).id)
  }

  /** Rewrites links to resources of a server to the addresses that the caller knows. */
  #linked(work: Promise<Fields>, server: ServerKey, view: View): Promise<Fields> {
    if (view.servers().length <= 1) return work
    const shown = (uri: string) => (this.#owns(uri) ? uri : this.#owners.shown({ server, uri }, view))
    return work.then((result) => withShownLinks(result, shown))
  }

  #owns(uri: string): boolean {
    const { own, spilled } = this.#parts
    return own.owns(uri) || spilled.owns(uri)
  }

  #actOf(
    { caller, params }: Pick<RelayRequest, 'caller' | 'params'>,
    view: View,
    { kind, server, target, args, entry }: Wanted,
  ): Act {
    const workingIn = caller.claims?.workingIn as Act['workingIn']
    return {
      ...(workingIn && { workingIn }),
      id: newActId(),
      kind,
      principal: this.#parts.principalOf(caller),
      project: this.#parts.projectIn(view, caller),
      server: serverNameOf(server),
      serverKey: server,
      target,
      arguments: args,
      definition: entry?.hash,
      class: entry?.class ?? 'reads',
      effects: entry ? effectsOf(entry.definition) : nothing,
      trace: traceIdOf(params) ?? randomHex(32),
      at: Date.now(),
    }
  }
}

const nothing: readonly string[] = []
const listing = { kind: 'list', args: {}, params: {} } as const

/** A list depends on the caller's policy, so it is not shared, nor kept for long. */
const notReused = { ttlMs: 0, cacheScope: 'private' } as const

/** True if the server says that a tool takes its time. */
function runsAsTask(entry: Entry | undefined): boolean {
  const { taskSupport } = (entry?.definition.execution ?? {}) as { readonly taskSupport?: string }
  return taskSupport === 'optional' || taskSupport === 'required'
}

/** Every tool may run as a task here; the host deals with what its server requires. */
function asTask(tool: Fields): Fields {
  return { ...tool, execution: { ...(tool.execution as Fields | undefined), taskSupport: 'optional' } }
}

function ofThisCaller(outcome: Fields | InputRequired): Fields | InputRequired {
  return outcome instanceof InputRequired ? outcome : { ttlMs: 0, ...outcome, cacheScope: 'private' }
}

function found<Value>(look: () => Value): Value {
  try {
    return look()
  } catch (error) {
    if (error instanceof OpenCallError) throw new RpcError(InvalidParams, error.message)
    throw error
  }
}
