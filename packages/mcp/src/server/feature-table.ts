import type { ServerHandler } from '../dialects/dialect.ts'
import type { ServerCapabilities } from '../model/input.ts'
import { methods } from '../model/methods.ts'
import { MethodNotFound, RpcError } from '../wire/errors.ts'
import { completionsFeature } from './completion.ts'
import { type Feature, FeatureHost, type FeatureOptions } from './feature.ts'
import type { PromptEntry } from './prompt-entry.ts'
import { promptsFeature } from './prompts.ts'
import type { Registry } from './registry.ts'
import type { ResourceEntry, TemplateEntry } from './resource-entry.ts'
import { resourcesFeature } from './resources.ts'
import type { ToolEntry } from './tool-entry.ts'
import { toolsFeature } from './tools.ts'

/** A feature by the name of its capability. */
export type FeatureName = 'tools' | 'prompts' | 'resources' | 'completions'

export interface FeaturesOptions extends FeatureOptions {
  /** Features to declare although nothing of them is offered yet. */
  readonly declare: readonly FeatureName[]
  readonly logging: boolean
}

/** All features of a server, and the handlers of their methods. */
export class Features {
  readonly tools: Registry<ToolEntry>
  readonly resources: Registry<ResourceEntry>
  readonly templates: Registry<TemplateEntry>
  readonly prompts: Registry<PromptEntry>
  readonly #all: readonly Feature[]
  readonly #handlers: ReadonlyMap<string, ServerHandler>
  // a declared capability stays usable, even when nothing of it is offered any more
  readonly #told: Set<string>
  #capabilities: ServerCapabilities | undefined

  constructor({ declare, logging, changed, ...options }: FeaturesOptions) {
    const host = new FeatureHost({
      ...options,
      changed: (change) => {
        this.#capabilities = undefined
        changed(change)
      },
    })
    const tools = toolsFeature(host)
    const resources = resourcesFeature(host)
    const prompts = promptsFeature(host)
    this.tools = tools.registry
    this.resources = resources.resources
    this.templates = resources.templates
    this.prompts = prompts.registry
    this.#all = [tools, resources, prompts, completionsFeature(this, options.failures), loggingFeature(logging)]
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
  mount(other: Features, home: ServerHandler, rename: (name: string) => string): void {
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
function loggingFeature(logging: boolean): Feature {
  return { declares: { logging: {} }, isOffered: () => logging, handlers: {}, registries: [] }
}
