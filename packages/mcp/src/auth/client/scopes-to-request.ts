import { AuthError } from '../shared/auth-error.ts'
import type { Demand } from '../shared/parse-challenge.ts'
import { covers, type Scopes, scopesOf, union } from '../shared/scopes.ts'
import type { Discovered } from './discover.ts'
import type { Tokens } from './tokens.ts'

/** The inputs of {@link scopesToRequest}. */
export interface ScopeInputs {
  readonly found: Pick<Discovered, 'resource'>
  readonly need: { readonly demand: Demand | undefined; readonly isStepUp: boolean }
  readonly kept: Tokens | undefined
  /** The scopes of the options. */
  readonly own: Scopes | undefined
}

/** The scopes of the challenge, or else those that the server supports, together with those requested before. */
export function scopesToRequest({ found, need, kept, own }: ScopeInputs): Scopes {
  const { demand, isStepUp } = need
  const asked = demand?.scope === undefined ? (own ?? found.resource.scopes ?? []) : scopesOf(demand.scope)
  if (isStepUp && kept && covers(kept.granted, asked)) {
    const problem = `the server wants the scopes "${asked.join(' ')}", and the token has them`
    throw new AuthError('refused', `Cannot authorize: ${problem}`, { error: 'insufficient_scope' })
  }
  return union(kept?.requested ?? [], own ?? [], asked)
}

/** True if tokens are to be bound to a DPoP key: the server requires it, or supports it. */
export function bindsTokens(
  { resource, authorizationServer }: Discovered,
  { demand }: Pick<ScopeInputs['need'], 'demand'>,
  kept: Tokens | undefined,
): boolean {
  if (kept?.key || resource.bindsTokens) return true
  if (!demand?.schemes.has('dpop')) return false
  const isOffered = authorizationServer.dpop_signing_alg_values_supported?.includes('ES256') ?? false
  return isOffered || !demand.schemes.has('bearer')
}
