import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Verify } from './jwt.ts'

export interface VerifiedTokenCacheOptions {
  /** Milliseconds for which a verified token is cached, at most until it expires. */
  readonly lastsMs: number
  /** Tokens to cache; the oldest are dropped first. */
  readonly maxTokens: number
  readonly now: () => number
}

/** Caches the claims of verified tokens, because verifying a signature takes longer than a call. */
export function cachedVerify(verify: Verify, { lastsMs, maxTokens, now }: VerifiedTokenCacheOptions): Verify {
  const known = new BoundedMap<string, { readonly claims: Awaited<ReturnType<Verify>>; readonly until: number }>(
    maxTokens,
  )
  return async (token) => {
    const before = known.get(token)
    if (before && now() < before.until) return before.claims
    known.delete(token)
    const claims = await verify(token)
    const until = Math.min(now() + lastsMs, typeof claims.exp === 'number' ? claims.exp * 1_000 : 0)
    if (until > now()) known.set(token, { claims, until })
    return claims
  }
}
