import { AuthError } from '../shared/auth-error.ts'
import { covers, type Scopes, scopesOf, union } from '../shared/scopes.ts'
import type { Discovered } from './discover.ts'
import type { Occasion } from './token-need.ts'
import type { Tokens } from './tokens.ts'

/** What decides which scopes to ask for. */
export interface Wishes {
  readonly found: Pick<Discovered, 'resource'>
  readonly occasion: Pick<Occasion, 'demand' | 'isStepUp'>
  readonly kept: Tokens | undefined
  /** Those that the user wants anyway. */
  readonly own: Scopes | undefined
}

/** What the server asks for, or else what it offers, together with what was asked for before. */
export function scopesToAskFor({ found, occasion, kept, own }: Wishes): Scopes {
  const { demand, isStepUp } = occasion
  const asked = demand?.scope === undefined ? (own ?? found.resource.scopes ?? []) : scopesOf(demand.scope)
  if (isStepUp && kept && covers(kept.granted, asked)) {
    const problem = `the server wants the scopes "${asked.join(' ')}", and the token has them`
    throw new AuthError('refused', `Cannot authorize: ${problem}`, { error: 'insufficient_scope' })
  }
  return union(kept?.requested ?? [], own ?? [], asked)
}

/** Whether tokens have to be bound to a key, or can be and the server knows what to do with them. */
export function bindsTokens(
  { resource, authorizationServer }: Discovered,
  { demand }: Pick<Occasion, 'demand'>,
  kept: Tokens | undefined,
): boolean {
  if (kept?.key || resource.bindsTokens) return true
  if (!demand?.schemes.has('dpop')) return false
  const isOffered = authorizationServer.dpop_signing_alg_values_supported?.includes('ES256') ?? false
  return isOffered || !demand.schemes.has('bearer')
}
