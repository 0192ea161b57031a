import type { ClusterOptions } from '../cluster/cluster-options.ts'
import { ClusterMember } from '../cluster/member.ts'
import { changeKey } from '../dialects/change-notifications.ts'
import type { Dialect, ServerHandler, ServerSide } from '../dialects/dialect.ts'
import { dialectsFor } from '../dialects/select-dialect.ts'
import { watchedLists } from '../model/features.ts'
import type { ServerTypes } from '../model/server-types.ts'
import type { Change, PromptArgument } from '../model/types.ts'
import type { Channel } from '../rpc/channel.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { compose, type Interceptor } from '../rpc/interceptor.ts'
import type { AnySchema } from '../schema/adapter.ts'
import type { ClusterStores } from '../stores/cluster.ts'
import type { Limiter } from '../stores/limiter.ts'
import { MemoryLimiter } from '../stores/memory-limiter.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import type { Fields } from '../wire/messages.ts'
import { refuseUnknownLimits, resolveLimits } from '../wire/resolve-limits.ts'
import { sealer } from '../wire/sealed.ts'
import { callRateNames, pacedCalls } from './call-rates.ts'
import { checkDefinition } from './check-definition.ts'
import { checkTemplate, checkToolName, checkUri } from './check-names-and-uris.ts'
import { checkServerOptions } from './check-options.ts'
import { completionsFeature } from './completion.ts'
import { Connections, type Servable } from './connections.ts'
import type { ServerConnection } from './conversation.ts'
import { promptFields, resourceFields, templateFields } from './definition-fields.ts'
import type * as define from './definitions.ts'
import { type OfferControls, offerControls } from './enable-disable.ts'
import { Extensions } from './enabled-extensions.ts'
import type { AddsOf, NoAdds, ServerAdds, ServerExtension } from './extension.ts'
import type { FeatureHost } from './feature.ts'
import { Features, loggingFeature } from './feature-table.ts'
import { failures } from './handler-errors.ts'
import type { MountedOffers, NoOffers, PromptOffer, ToolOffer } from './offer-types.ts'
import { PagedList } from './pagination.ts'
import { promptEntry } from './prompt-entry.ts'
import { promptsFeature } from './prompts.ts'
import { resourceEntry, templateEntry } from './resource-entry.ts'
import { checkWatch, isShown, resourcesFeature } from './resources.ts'
import { serverLimits } from './server-limits.ts'
import { infoOf, randomKeyWarning, type ServerOptions, serverDefaults, type WatchStart } from './server-options.ts'
import { toolEntry } from './tool-entry.ts'
import { toolsFeature } from './tools.ts'

export type * from './definitions.ts'
export type { OfferControls } from './enable-disable.ts'
export type { MountedOffers, NoOffers, PromptOffer, ToolOffer } from './offer-types.ts'

/** Defines a server, which can be served on any number of channels at the same time. */
export function server<const On extends readonly ServerExtension[] = readonly []>(
  options: ServerOptions & { readonly extensions?: On },
): Server<NoOffers, AddsOf<On>> {
  return new Server(options)
}

/** A server: defines tools, resources and prompts, which may change at any time while it is served. */
export class Server<Has extends ServerTypes = NoOffers, Adds extends ServerAdds = NoAdds> implements Servable {
  /** Carries types only; undefined at run time. */
  declare readonly offers: Has
  readonly tools: OfferControls
  readonly prompts: OfferControls
  readonly templates: OfferControls & {
    /** Announces that the resources of a template have changed. */
    listChanged(uriTemplate: string): void
  }
  readonly resources: OfferControls & {
    /** Announces that a resource has changed. */
    updated(uri: string): void
  }
  readonly #features: Features<ReturnType<typeof allFeatures>>
  readonly #extensions: Extensions
  readonly #inner: ServerHandler
  readonly #interceptors: Interceptor<ServerHandler>[] = []
  /** The watchers, each with what tells it that everything may have changed. */
  readonly #watchers = new Map<(change: Change) => void, (number: number) => void>()
  readonly #watchStarts: WatchStart[]
  readonly #connections: Connections
  readonly #side: ServerSide
  readonly #warn: (message: string) => void
  #handle: ServerHandler
  #member: ClusterMember | undefined

  constructor(options: ServerOptions) {
    checkServerOptions(options)
    const {
      keys,
      cache = serverDefaults.cache,
      pageSize = serverDefaults.pageSize,
      declare = [],
      logging = true,
    } = options
    const { onWarning = (message: string) => console.warn(message) } = options
    this.#warn = onWarning
    this.#watchStarts = options.onWatch ? [options.onWatch] : []
    refuseUnknownLimits(options.limits, serverLimits, callRateNames)
    const limits = resolveLimits(serverLimits, options.limits)
    const paced = pacedCalls(options.limits, { what: 'make a server', name: 'server' })
    const seals = sealer({ ...(keys && { keys }), onRandomKey: () => onWarning(randomKeyWarning(options.name)) })
    const errors = failures(options)
    const features = new Features(
      {
        sealer: seals,
        cache,
        pageSize,
        declare,
        failures: errors,
        limiter: options.limiter ?? this.#sharedLimiter(new MemoryLimiter()),
        paced,
        warn: onWarning,
        changed: (change) => this.#tell(change),
      },
      (host) => allFeatures(host, logging),
    )
    this.#features = features
    const { tools, prompts, resources } = features.of
    this.tools = offerControls(tools.registry)
    this.prompts = offerControls(prompts.registry)
    const listChanged = (uriTemplate: string): void => resources.templates.touch(uriTemplate)
    this.templates = { ...offerControls(resources.templates), listChanged }
    const updated = (uri: string): void => this.#tell({ kind: 'resource', uri })
    this.resources = { ...offerControls(resources.resources), updated }
    const { extensions = [] } = options
    this.#extensions = new Extensions(extensions, {
      info: infoOf(options),
      sealer: seals,
      limits,
      pageSize,
      cache,
      offers: this,
      list: (list) => new PagedList({ ...list, sealer: seals, cache, pageSize }),
      report: errors.report,
      warn: onWarning,
      find: (name, caller) => tools.registry.find(name, caller)?.item,
    })
    this.#inner = this.#extensions.around(features.dispatch)
    this.#handle = this.#inner
    const extended = this.#extensions
    const member = (): ClusterMember | undefined => this.#member
    this.#side = {
      info: infoOf(options),
      instructions: () => options.instructions,
      get capabilities() {
        return features.capabilities
      },
      declares: (sender) => extended.declared(features.capabilities, sender),
      cache,
      dialects: dialectsFor(options.revisions, extensions),
      sealer: seals,
      limits,
      get effects() {
        return options.effects ?? member()?.stores.effects
      },
      get sharedEffects() {
        return options.effects ? undefined : member()?.stores.effects
      },
      handle: (request) => this.#handle(request),
      report: errors.report,
      checkWatch: (uris, asking) => checkWatch(resources, uris, asking),
      watch: (caller, watcher, uris = []) => {
        const stops = uris.length === 0 ? [] : this.#watchStarts.map((start) => start(uris, caller))
        const hear = (change: Change): void => {
          if (change.kind !== 'resource' || isShown(resources, change.uri, caller)) watcher(change)
        }
        const hearAll = (number: number): void => {
          for (const { kind } of watchedLists) hear({ kind, number })
          for (const uri of uris) hear({ kind: 'resource', uri, number })
        }
        const unwatch = this.#watch(hear, hearAll)
        const end = (): void => {
          unwatch()
          for (const stop of stops) stop()
        }
        const ready = this.#member?.joining?.catch(() => {})
        return Object.assign(end, { hear, hearAll, ready })
      },
      headerParams: (tool, caller) => tools.registry.find(tool, caller)?.item.headerParams() ?? [],
      ...(extended.listen && { listen: extended.listen }),
    }
    this.#connections = new Connections(this.#side, limits)
  }

  /** Adds a tool. */
  tool<
    Name extends string,
    const In extends AnySchema | undefined = undefined,
    const Out extends AnySchema | undefined = undefined,
  >(
    name: Name,
    definition: define.ToolDefinition<In, Out> & Adds['tool'],
    handler: define.ToolHandler<In, Out, Adds['context']>,
  ): Server<Has & ToolOffer<Name, In, Out>, Adds> {
    checkDefinition({ kind: 'tool', name, definition, handler, fields: this.#extensions.toolFields })
    checkToolName(name, this.#warn)
    const entry = toolEntry(name, definition, this.#extensions.handler(handler))
    this.#features.of.tools.registry.add(name, this.#extensions.tool(name, definition, entry))
    return this as unknown as Server<Has & ToolOffer<Name, In, Out>, Adds>
  }

  /** Adds a resource. */
  resource(uri: string, definition: define.ResourceDefinition, handler: define.ResourceHandler): this {
    checkDefinition({ kind: 'resource', name: uri, definition, handler, fields: resourceFields })
    checkUri(uri, this.#warn)
    this.#features.of.resources.resources.add(uri, resourceEntry(uri, definition, handler))
    return this
  }

  /** Adds a resource template (RFC 6570). */
  template<const Template extends string>(
    uriTemplate: Template,
    definition: define.TemplateDefinition,
    handler: define.TemplateHandler<Template>,
  ): this {
    checkDefinition({ kind: 'template', name: uriTemplate, definition, handler, fields: templateFields })
    checkTemplate(uriTemplate)
    this.#features.of.resources.templates.add(uriTemplate, templateEntry(uriTemplate, definition, handler))
    return this
  }

  /** Adds a prompt. */
  prompt<Name extends string, const Args extends AnySchema | readonly PromptArgument[] | undefined = undefined>(
    name: Name,
    definition: define.PromptDefinition<Args>,
    handler: define.PromptHandler<Args>,
  ): Server<Has & PromptOffer<Name, Args>, Adds> {
    checkDefinition({ kind: 'prompt', name, definition, handler, fields: promptFields })
    this.#features.of.prompts.registry.add(name, promptEntry(name, definition, handler))
    return this as unknown as Server<Has & PromptOffer<Name, Args>, Adds>
  }

  /** Adds an interceptor around every request to a feature; the first one is the outermost. */
  use(interceptor: Interceptor<ServerHandler>): this {
    if (typeof interceptor !== 'function')
      throw new McpError('Misuse', `Cannot use ${kindOf(interceptor)}: an interceptor is a function, (next) => handler`)
    this.#interceptors.push(interceptor)
    this.#handle = compose(this.#interceptors, this.#inner)
    return this
  }

  /** Mounts another server: its tools and prompts are offered as `prefix_name`. */
  mount<const Prefix extends string, Mounted extends ServerTypes>(
    prefix: Prefix,
    other: Server<Mounted, ServerAdds>,
  ): Server<Has & MountedOffers<Prefix, Mounted>, Adds> {
    checkMount(prefix, other, this)
    checkToolName(`${prefix}_`, (message) => this.#warn(`${message}, which every mounted tool begins with`))
    this.#features.mount(other.#features, other.#side.handle, (name) => `${prefix}_${name}`)
    this.#watchStarts.push(...other.#watchStarts)
    other.#watch((change) => {
      // registries announce list changes themselves
      if (change.kind === 'resource') this.#tell(change)
    })
    return this as unknown as Server<Has & MountedOffers<Prefix, Mounted>, Adds>
  }

  serve(channel: Channel): ServerConnection {
    this.#extensions.start()
    this.#features.start()
    return this.#connections.serve(channel)
  }

  /**
   * Answers single requests; a handshake revision has to be named. Listen requests end when `ending` aborts.
   * @internal
   */
  answering(ending: AbortSignal): (incoming: Incoming, revision?: string) => Promise<Fields> | Fields {
    this.#extensions.start()
    this.#features.start()
    return this.#connections.answering(ending)
  }

  /** Logs an internal error. @internal */
  report(error: unknown, what: string): void {
    this.#connections.report(error, what)
  }

  /** The served revisions, newest first. @internal */
  get dialects(): readonly Dialect[] {
    return this.#connections.dialects
  }

  /** Becomes one of several processes of this server. @internal */
  join(options: ClusterStores | ClusterOptions): ClusterMember {
    if (this.#member) throw new McpError('Misuse', 'Cannot serve in a cluster: this server is in one already')
    const member = new ClusterMember(options, {
      server: this.#side.info.name,
      sealingKeys: () => this.#side.sealer.keyIds(),
      report: (error, what) => this.report(error, what),
    })
    this.#extensions.join(member)
    this.#member = member
    member.changes.listen({
      changed: (change, number) => {
        for (const watcher of this.#watchers.keys()) watcher({ ...(change as Change), number })
      },
      lost: (number) => {
        for (const hearAll of this.#watchers.values()) hearAll(number)
      },
    })
    return member
  }

  /** Counts over all connections: zero when there are none. */
  get live(): { readonly connections: number; readonly watchers: number } {
    return { connections: this.#connections.size, watchers: this.#watchers.size }
  }

  /** Closes every connection: first ends listen requests, then closes the channels. */
  async close(): Promise<void> {
    await Promise.all([this.#connections.close(), this.#extensions.close()])
  }

  /** Counts rates in the cluster, or in this process if there is none. */
  #sharedLimiter(own: Limiter): Limiter {
    return { take: (rates) => (this.#member?.limiter ?? own).take(rates) }
  }

  #tell(change: Change): void {
    if (this.#member) this.#member.changes.publish(changeKey(change), change)
    else for (const watcher of this.#watchers.keys()) watcher(change)
  }

  #watch(watcher: (change: Change) => void, hearAll: (number: number) => void = () => {}): () => void {
    this.#watchers.set(watcher, hearAll)
    return () => this.#watchers.delete(watcher)
  }
}

/** The features of a server, in the order in which they are declared. */
function allFeatures(host: FeatureHost, logging: boolean) {
  const tools = toolsFeature(host)
  const resources = resourcesFeature(host)
  const prompts = promptsFeature(host)
  const completable = { prompts: prompts.registry, templates: resources.templates }
  const completions = completionsFeature(completable, host.failures)
  return { tools, resources, prompts, completions, logging: loggingFeature(logging) }
}

/** Checks the arguments of `mount`. */
function checkMount(prefix: unknown, other: unknown, self: unknown): void {
  const usage = 'write .mount("prefix", otherServer)'
  if (typeof prefix !== 'string') throw new McpError('Misuse', `Cannot mount: the prefix must be text; ${usage}`)
  if (!(other instanceof Server))
    throw new McpError('Misuse', `Cannot mount ${kindOf(other)} as "${prefix}": it is not a server; ${usage}`)
  if (other === self) throw new McpError('Misuse', `Cannot mount a server on itself as "${prefix}"`)
}
