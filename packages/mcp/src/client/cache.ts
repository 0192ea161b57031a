import { methods } from '../model/methods.ts'
import type { Change } from '../model/types.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import { canonicalJson } from '../wire/canonical.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientHandler } from './options.ts'

export interface CacheLimits {
  readonly maxCacheEntries: number
  readonly maxCacheAgeMs: number
}

interface Kept {
  readonly method: string
  readonly uri: unknown
  readonly result: Fields
  readonly until: number
}

/** Results kept for reuse as long as their server allows; one cache belongs to one connection, so to one caller. */
export class ResponseCache {
  readonly #kept = new Map<string, Kept>()
  readonly #limits: CacheLimits
  readonly #now: () => number
  #changes = 0

  constructor(limits: CacheLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /** Answers from what is kept, and keeps what may be. */
  readonly intercept: Interceptor<ClientHandler> = (next) => async (request) => {
    const { method, params } = request
    if (!methods.get(method)?.cacheable) return next(request)
    const { _meta, ...asked } = params
    const key = `${method} ${canonicalJson(asked)}`
    const kept = this.#kept.get(key)
    if (kept && this.#now() < kept.until) return kept.result
    const changes = this.#changes
    const result = await next(request)
    // what was on its way when something changed may be from before that
    if (changes !== this.#changes) return result
    this.#keep(key, { method, uri: asked.uri, result, until: this.#now() + this.#ttl(result) })
    return result
  }

  /** Forgets what a change made wrong. */
  invalidate(change: Change): void {
    this.#changes += 1
    for (const [key, { method, uri }] of this.#kept) {
      const isStale = methods.get(method)?.staleAfter === change.kind
      if (isStale && (change.kind !== 'resource' || change.uri === uri)) this.#kept.delete(key)
    }
  }

  get size(): number {
    return this.#kept.size
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    if (!(kept.until > this.#now())) return
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#limits.maxCacheEntries && oldest !== undefined) this.#kept.delete(oldest)
  }

  #ttl({ ttlMs }: Fields): number {
    return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, this.#limits.maxCacheAgeMs) : 0
  }
}
