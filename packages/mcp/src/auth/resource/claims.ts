import { type Scopes, scopesOf, union } from '../shared/scopes.ts'
import type { AuthenticatedCaller } from './authenticator.ts'
import { TokenProblem } from './token-problem.ts'

/** The claims of a token. */
export type Claims = AuthenticatedCaller['claims']

/** The issuer and audiences that a token must have. */
export interface Expected {
  readonly issuer: string
  /** The audiences of this server; a token must have one of them. */
  readonly audiences: readonly string[]
}

/** Refuses a token for another audience. */
export function checkAudience({ aud }: Claims, audiences: readonly string[]): void {
  if ([aud].flat().some((audience) => audiences.includes(audience as string))) return
  throw new TokenProblem('invalid_token', 'The token was not issued for this server')
}

/** The principal of a token: two tokens share it only if issuer, subject and client are the same. */
export function principalOf(claims: Claims, issuer: string): string {
  const { sub, client_id: clientId, azp } = claims
  const client = clientId ?? azp
  if (sub === undefined && client === undefined) {
    throw new TokenProblem('invalid_token', 'The token names no caller')
  }
  return JSON.stringify([issuer, sub ?? null, client ?? null])
}

/** The scopes of a token, from `scope` or `scp`, as text or as a list. */
export function grantedScopes({ scope, scp }: Claims): Scopes {
  return union(...[scope, scp].map((value) => scopesOf(Array.isArray(value) ? value.join(' ') : text(value))))
}

/** The thumbprint of the key that a token is bound to, if it is bound. */
export function boundKeyOf({ cnf }: Claims): string | undefined {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? text(cnf.jkt) : undefined
}

/** The scopes of a token and those that they imply. */
export function withImplied(scopes: Scopes, implied: { readonly [scope: string]: Scopes }): Scopes {
  const all = new Set(scopes)
  // a set visits what is added to it during the loop
  for (const scope of all) {
    for (const narrower of Object.hasOwn(implied, scope) ? (implied[scope] ?? []) : []) all.add(narrower)
  }
  return [...all]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
