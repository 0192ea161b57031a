import type { Client } from '@trunkline/mcp'
import { ApiError } from './api-error.ts'

/** A page that still looks at a resource asks again before this has passed. */
const usualLeaseMs = 60_000
const maxWatched = 100

interface Watch {
  end: NodeJS.Timeout
  readonly watching: Promise<AsyncDisposable>
}

export interface ResourceWatchesParts {
  clientOf(server: string): Promise<Client>
  onChange(server: string, uri: string): void
  /** Lease of a watch, unless it is renewed. @default 60_000 */
  readonly leaseMs?: number
}

/** The resources that pages show: each is watched once, for as long as a page renews it. */
export class ResourceWatches {
  readonly #parts: ResourceWatchesParts
  readonly #leaseMs: number
  readonly #watches = new Map<string, Watch>()

  constructor(parts: ResourceWatchesParts) {
    this.#parts = parts
    this.#leaseMs = parts.leaseMs ?? usualLeaseMs
  }

  get size(): number {
    return this.#watches.size
  }

  /** Watches a resource, or goes on with it; returns until when. */
  async watch(server: string, uri: string): Promise<number> {
    const key = JSON.stringify([server, uri])
    const known = this.#watches.get(key)
    if (known) clearTimeout(known.end)
    else if (this.#watches.size >= maxWatched) {
      throw new ApiError(429, `Cannot watch "${uri}": ${maxWatched} resources are watched already; close some of them`)
    }
    const watch = known ?? { end: this.#endOf(key), watching: this.#start(server, uri) }
    this.#watches.set(key, watch)
    if (known) known.end = this.#endOf(key)
    try {
      await watch.watching
    } catch (error) {
      this.#drop(key)
      throw error
    }
    return Date.now() + this.#leaseMs
  }

  async #start(server: string, uri: string): Promise<AsyncDisposable> {
    const client = await this.#parts.clientOf(server)
    return client.watch({ uris: [uri] }, () => this.#parts.onChange(server, uri))
  }

  #endOf(key: string): NodeJS.Timeout {
    return setTimeout(() => this.#drop(key), this.#leaseMs).unref()
  }

  #drop(key: string): void {
    const watch = this.#watches.get(key)
    if (!watch) return
    this.#watches.delete(key)
    clearTimeout(watch.end)
    void watch.watching.then((watching) => watching[Symbol.asyncDispose]()).catch(() => {})
  }
}
