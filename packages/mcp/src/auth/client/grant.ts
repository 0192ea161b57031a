import type { Network } from '../shared/network.ts'
import type { Demand } from '../shared/parse-challenge.ts'
import type { Scopes } from '../shared/scopes.ts'
import type { AuthLimits } from './auth-options.ts'
import { clientAuthentication, type KeyedClient, type RegisteredClient } from './client-authentication.ts'
import type { CredentialRecords } from './credential-records.ts'
import type { Discovered } from './discover.ts'
import type { DpopKey } from './dpop-key.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** The input of a grant. */
export interface GrantRequest extends Discovered {
  readonly scopes: Scopes
  /** The DPoP key that the tokens are bound to. */
  readonly proof: DpopKey | undefined
  readonly network: Network
  readonly records: CredentialRecords
  readonly limits: AuthLimits
  readonly signal: AbortSignal
  now(): number
}

/** An OAuth grant: one way to get tokens. */
export interface Grant {
  /** True if it sends credentials of one issuer, which no other issuer may see. */
  readonly isBound: boolean
  /** Gets tokens without existing ones. */
  obtain(request: GrantRequest): Promise<Tokens>
  /** Refreshes tokens; undefined when they cannot be refreshed. */
  renew?(tokens: Tokens, request: GrantRequest): Promise<Tokens | undefined>
}

/** Origin of tokens: a new grant, a refresh, or the store, where another process put them. */
export type TokenOrigin = 'new' | 'renewed' | 'kept'

/** Reason why tokens are needed. */
export interface TokenNeed {
  /** The access token that the server refused. */
  readonly refused: string | undefined
  /** Origin of that token, if it was obtained for the request that was refused. */
  readonly justGot: TokenOrigin | undefined
  /** The server's challenge; undefined when no request was refused, and then no user is asked. */
  readonly demand: Demand | undefined
  /** The negotiated revision, once it is known. */
  readonly revision: string | undefined
  /** True if the token is valid but lacks scopes. */
  readonly isStepUp: boolean
}

/** Exchanges a JWT assertion for tokens. @see https://www.rfc-editor.org/rfc/rfc7523 */
export async function byAssertion(
  assertion: string,
  client: RegisteredClient | KeyedClient,
  request: GrantRequest,
): Promise<Tokens> {
  const { authorizationServer: server, resource, scopes, proof, network, signal } = request
  const at = {
    ...(await clientAuthentication(client, server)),
    server,
    proof,
    network,
    signal,
    action: 'get a token by an assertion',
  }
  const parameters = {
    assertion,
    resource: resource.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const answer = await exchange(at, { type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', parameters })
  return tokensOf(answer, request, scopes)
}
