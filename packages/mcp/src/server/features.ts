import type { Caller, ServerHandler } from '../dialects/dialect.ts'
import type { ServerCapabilities } from '../model/input.ts'
import { methods } from '../model/methods.ts'
import type { CacheHint, Change, Prompt, Resource, ResourceTemplate, Tool } from '../model/types.ts'
import { MethodNotFound, RpcError } from '../wire/errors.ts'
import type { Sealer } from '../wire/sealed.ts'
import { complete, completes } from './completion.ts'
import type { Describe } from './failures.ts'
import { PagedList } from './pagination.ts'
import { getPrompt, type PromptEntry } from './prompts.ts'
import { Registry } from './registry.ts'
import { listResources, type ResourceEntry, readResource, type TemplateEntry } from './resources.ts'
import { callTool, type ToolEntry } from './tools.ts'

export type Feature = 'tools' | 'prompts' | 'resources' | 'completions'

export interface FeatureOptions {
  readonly sealer: Sealer
  readonly cache: CacheHint
  readonly pageSize: number
  readonly describeError: Describe
  /** Features to declare although nothing of them is offered yet. */
  readonly declare: readonly Feature[]
  readonly logging: boolean
  changed(change: Change): void
}

/** Everything a server offers, and the handler of every method that reaches it. */
export class Features {
  readonly tools: Registry<ToolEntry>
  readonly resources: Registry<ResourceEntry>
  readonly templates: Registry<TemplateEntry>
  readonly prompts: Registry<PromptEntry>
  readonly #options: FeatureOptions
  readonly #handlers: ReadonlyMap<string, ServerHandler>
  // whoever was told of a feature may go on asking for it, even when the last of it is gone
  readonly #told: Set<Feature>
  #capabilities: ServerCapabilities | undefined

  constructor(options: FeatureOptions) {
    this.#options = options
    this.#told = new Set(options.declare)
    const listings = this.#listings()
    const registry = <Item extends object>(
      what: string,
      kind: 'tools' | 'prompts' | 'resources',
      methods: readonly string[],
    ) =>
      new Registry<Item>(what, () => {
        this.#capabilities = undefined
        for (const method of methods) listings.get(method)?.invalidate()
        options.changed({ kind })
      })
    this.tools = registry('tool', 'tools', ['tools/list'])
    this.resources = registry('resource', 'resources', ['resources/list'])
    this.templates = registry('template', 'resources', ['resources/list', 'resources/templates/list'])
    this.prompts = registry('prompt', 'prompts', ['prompts/list'])
    this.#handlers = this.#serving(listings)
  }

  /** What is offered at the moment. */
  get capabilities(): ServerCapabilities {
    this.#capabilities ??= this.#declared()
    return this.#capabilities
  }

  /** Serves a request by its method. */
  readonly dispatch: ServerHandler = (request) => {
    const handler = this.#handlers.get(request.method)
    const needs = methods.get(request.method)?.needs
    if (handler && (needs === undefined || this.capabilities[needs] !== undefined)) return handler(request)
    throw new RpcError(MethodNotFound, `Cannot serve "${request.method}": this server does not offer it`)
  }

  #declared(): ServerCapabilities {
    const listChanged = true
    return {
      ...(this.#tells('tools', this.tools.size > 0) && { tools: { listChanged } }),
      ...(this.#tells('resources', this.resources.size + this.templates.size > 0) && {
        resources: { listChanged, subscribe: true },
      }),
      ...(this.#tells('prompts', this.prompts.size > 0) && { prompts: { listChanged } }),
      ...(this.#tells('completions', completes(this)) && { completions: {} }),
      ...(this.#options.logging && { logging: {} }),
    }
  }

  #tells(feature: Feature, isOffered: boolean): boolean {
    if (isOffered) this.#told.add(feature)
    return this.#told.has(feature)
  }

  #serving(listings: ReadonlyMap<string, PagedList<never>>): ReadonlyMap<string, ServerHandler> {
    const { describeError } = this.#options
    const lists = [...listings].map(([method, listing]): [string, ServerHandler] => [
      method,
      (request) => listing.list(request),
    ])
    return new Map<string, ServerHandler>([
      ...lists,
      ['tools/call', callTool(this.tools, describeError)],
      ['resources/read', readResource(this, describeError)],
      ['prompts/get', getPrompt(this.prompts, describeError)],
      ['completion/complete', complete(this)],
    ])
  }

  #listings(): ReadonlyMap<string, PagedList<never>> {
    const { sealer, cache, pageSize } = this.#options
    const shared = { sealer, cache, pageSize }
    const named = async <Item>(entries: Iterable<[string, { listed(): Promise<Item> }]>) =>
      Promise.all([...entries].map(async ([name, entry]) => ({ name, ...(await entry.listed()) })))
    const tools = new PagedList<Tool>({
      ...shared,
      member: 'tools',
      items: (caller) => named(this.tools.list(caller)),
      keyOf: ({ name }) => name,
      restricted: () => this.tools.restricted,
    })
    const prompts = new PagedList<Prompt>({
      ...shared,
      member: 'prompts',
      items: (caller) => named(this.prompts.list(caller)),
      keyOf: ({ name }) => name,
      restricted: () => this.prompts.restricted,
    })
    const resources = new PagedList<Resource>({
      ...shared,
      member: 'resources',
      items: (caller) => listResources(this, caller),
      keyOf: ({ uri }) => uri,
      // what a template names may change without anybody saying so
      restricted: () => this.resources.restricted || this.templates.size > 0,
    })
    const templates = new PagedList<ResourceTemplate>({
      ...shared,
      member: 'resourceTemplates',
      items: (caller: Caller) => [...this.templates.list(caller)].map(([, { listed }]) => listed),
      keyOf: ({ uriTemplate }) => uriTemplate,
      restricted: () => this.templates.restricted,
    })
    return new Map<string, PagedList<never>>([
      ['tools/list', tools as PagedList<never>],
      ['prompts/list', prompts as PagedList<never>],
      ['resources/list', resources as PagedList<never>],
      ['resources/templates/list', templates as PagedList<never>],
    ])
  }
}
