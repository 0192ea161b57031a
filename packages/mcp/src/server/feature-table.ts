import type { ServerHandler } from '../dialects/dialect.ts'
import { type FeatureName, methods } from '../model/features.ts'
import type { ServerCapabilities } from '../model/types.ts'
import { MethodNotFound, RpcError } from '../wire/errors.ts'
import { type Feature, FeatureHost, type FeatureOptions } from './feature.ts'

export interface FeaturesOptions extends FeatureOptions {
  /** Features to declare although nothing of them is offered yet. */
  readonly declare: readonly FeatureName[]
}

/** All features of a server, and the handlers of their methods. */
export class Features<All extends { readonly [name: string]: Feature }> {
  /** Each feature by its name. */
  readonly of: All
  readonly #all: readonly Feature[]
  readonly #handlers: ReadonlyMap<string, ServerHandler>
  // a declared capability stays usable, even when nothing of it is offered any more
  readonly #told: Set<string>
  #capabilities: ServerCapabilities | undefined

  /** Takes the features that `make` makes, in the order in which they are declared. */
  constructor({ declare, changed, ...options }: FeaturesOptions, make: (host: FeatureHost) => All) {
    const host = new FeatureHost({
      ...options,
      changed: (change) => {
        this.#capabilities = undefined
        changed(change)
      },
    })
    this.of = make(host)
    this.#all = Object.values(this.of)
    this.#handlers = new Map(this.#all.flatMap(({ handlers }) => Object.entries(handlers)))
    this.#told = new Set(declare)
  }

  /** Prepares all offers for listing. */
  start(): void {
    for (const { registries } of this.#all) for (const { registry } of registries) registry.start()
  }

  /** The current capabilities. */
  get capabilities(): ServerCapabilities {
    this.#capabilities ??= Object.assign({}, ...this.#all.map((feature) => this.#declared(feature)))
    return this.#capabilities as ServerCapabilities
  }

  /** Serves a request by its method. */
  readonly dispatch: ServerHandler = (request) => {
    const handler = this.#handlers.get(request.method)
    const needs = methods.get(request.method)?.needs
    if (handler && (needs === undefined || this.capabilities[needs] !== undefined)) return handler(request)
    throw new RpcError(MethodNotFound, `Cannot serve "${request.method}": this server does not offer it`)
  }

  /** Mounts another server: its offers are served by its handler. */
  mount(other: Features<All>, home: ServerHandler, rename: (name: string) => string): void {
    const same = (name: string): string => name
    const theirs = other.#all.flatMap(({ registries }) => registries)
    for (const [at, { registry, prefixed }] of this.#all.flatMap(({ registries }) => registries).entries()) {
      const from = theirs[at]?.registry
      if (from) registry.mount(from, home, prefixed ? rename : same)
    }
  }

  #declared({ declares, isOffered }: Feature): ServerCapabilities {
    const [name = ''] = Object.keys(declares)
    if (isOffered()) this.#told.add(name)
    return this.#told.has(name) ? declares : {}
  }
}

/** The logging feature; the dialects serve its methods. */
export function loggingFeature(logging: boolean): Feature {
  return { declares: { logging: {} }, isOffered: () => logging, handlers: {}, registries: [] }
}
