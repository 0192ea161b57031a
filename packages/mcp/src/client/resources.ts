import type { Change, ReadResourceResult, Resource, ResourceTemplate } from '../model/types.ts'
import type { ClientLimits } from './client-limits.ts'
import type { RequestOptions } from './client-request.ts'
import { notNamed } from './not-named.ts'
import { Pages } from './pagination.ts'
import type { Requester } from './requester.ts'
import type { Watching } from './watches.ts'

export interface ResourcesOptions {
  readonly limits: ClientLimits
  watch(uri: string, onChange: (change: Change) => void): Promise<Watching>
}

/** The resources of the server. */
export class ClientResources {
  readonly #requester: Requester
  readonly #options: ResourcesOptions

  /** @internal */
  constructor(requester: Requester, options: ResourcesOptions) {
    this.#requester = requester
    this.#options = options
  }

  /** Every resource, fetched page by page. */
  list(options?: RequestOptions): Pages<Resource> {
    return this.#pages('resources/list', 'resources', options)
  }

  /** Every template, fetched page by page. */
  templates(options?: RequestOptions): Pages<ResourceTemplate> {
    return this.#pages('resources/templates/list', 'resourceTemplates', options)
  }

  /** Reads a resource. */
  async read(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    if (typeof uri !== 'string') throw notNamed({ doing: 'read a resource', wanted: 'URI', form: 'read(uri)' }, uri)
    return (await this.#requester.request('resources/read', { uri }, options)) as unknown as ReadResourceResult
  }

  /** Calls back whenever a resource changes, until the returned watch is closed. */
  watch(uri: string, onChange: (uri: string) => void): Promise<Watching> {
    return this.#options.watch(uri, (change) => {
      if (change.kind === 'resource') onChange(change.uri)
    })
  }

  #pages<Item>(method: string, member: string, options?: RequestOptions): Pages<Item> {
    const fetch = (cursor: string | undefined) =>
      this.#requester.request(method, cursor === undefined ? {} : { cursor }, options)
    return new Pages(member, fetch, this.#options.limits)
  }
}
