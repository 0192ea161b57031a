import { methods } from '../model/features.ts'
import type { Change } from '../model/types.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import { canonicalJson } from '../wire/canonical-json.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientLimits } from './client-limits.ts'
import type { ClientHandler } from './client-request.ts'
import { LeastRecentlyUsed } from './least-recently-used.ts'
import { sizeInMemory } from './size-in-memory.ts'

/** Limits of the cache. */
export type CacheLimits = Pick<ClientLimits, 'maxCacheEntries' | 'maxCacheBytes' | 'maxCacheAgeMs'>

interface Kept {
  readonly method: string
  readonly uri: unknown
  readonly result: Fields
  readonly until: number
}

/** Caches results for as long as their server allows; one cache belongs to one connection, so to one caller. */
export class ResponseCache {
  readonly #kept: LeastRecentlyUsed<Kept>
  readonly #maxAgeMs: number
  readonly #now: () => number
  #changes = 0

  constructor(limits: CacheLimits, now: () => number = () => performance.now()) {
    this.#kept = new LeastRecentlyUsed({ maxEntries: limits.maxCacheEntries, maxBytes: limits.maxCacheBytes })
    this.#maxAgeMs = limits.maxCacheAgeMs
    this.#now = now
  }

  /** Answers from the cache, and stores cacheable results. */
  readonly intercept: Interceptor<ClientHandler> = (next) => async (request) => {
    const { method, params, options } = request
    if (!methods.get(method)?.cacheable) return next(request)
    const { _meta, ...asked } = params
    const key = `${method} ${canonicalJson(asked)}`
    const kept = this.#kept.get(key)
    if (kept && !options.fresh && this.#now() < kept.until) return kept.result
    const changes = this.#changes
    const result = await next(request)
    // a result that was requested before a change may be stale
    if (changes !== this.#changes) return result
    this.#keep(key, { method, uri: asked.uri, result, until: this.#now() + this.#ttl(result) })
    return result
  }

  /** Drops the results that a change made stale. */
  invalidate(change: Change): void {
    this.#changes += 1
    this.#kept.deleteIf(({ method, uri }) => {
      const isStale = methods.get(method)?.staleAfter === change.kind
      return isStale && (change.kind !== 'resource' || change.uri === uri)
    })
  }

  get size(): number {
    return this.#kept.size
  }

  /** The bytes of all cached results. */
  get bytes(): number {
    return this.#kept.bytes
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    if (kept.until > this.#now()) this.#kept.set(key, kept, key.length + sizeInMemory(kept.result))
  }

  #ttl({ ttlMs }: Fields): number {
    return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, this.#maxAgeMs) : 0
  }
}
