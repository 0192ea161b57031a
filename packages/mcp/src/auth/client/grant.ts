import type { Network } from '../shared/network.ts'
import type { Demand } from '../shared/parse-challenge.ts'
import type { Scopes } from '../shared/scopes.ts'
import { clientAuthentication, type KeyedClient, type RegisteredClient } from './client-authentication.ts'
import type { CredentialRecords } from './credential-records.ts'
import type { Discovered } from './discover.ts'
import type { DpopKey } from './dpop-key.ts'
import type { AuthLimits } from './options.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** All that is known when tokens are needed. */
export interface GrantRequest extends Discovered {
  readonly scopes: Scopes
  /** What the tokens shall be bound to. */
  readonly proof: DpopKey | undefined
  readonly network: Network
  readonly records: CredentialRecords
  readonly limits: AuthLimits
  readonly signal: AbortSignal
  now(): number
}

/** One way to get tokens. */
export interface Grant {
  /** Whether it shows credentials that one issuer gave, and that no other may see. */
  readonly isBound: boolean
  /** Gets tokens from nothing. */
  obtain(request: GrantRequest): Promise<Tokens>
  /** Gets tokens for those that are no longer taken; undefined when there is no other way than from nothing. */
  renew?(tokens: Tokens, request: GrantRequest): Promise<Tokens | undefined>
}

/** How tokens were got: from nothing, for others, or by somebody else who left them in the store. */
export type TokenOrigin = 'new' | 'renewed' | 'kept'

/** Why tokens are needed. */
export interface TokenNeed {
  /** The access token that is not taken, or no longer. */
  readonly refused: string | undefined
  /** How that token was got, when it was got for the very request that is refused. */
  readonly justGot: TokenOrigin | undefined
  /** What the server said; undefined when it was not asked, and nobody shall be bothered yet. */
  readonly demand: Demand | undefined
  /** The revision that is spoken with the server, as far as that is known. */
  readonly revision: string | undefined
  /** Whether the token is good but does not allow enough. */
  readonly isStepUp: boolean
}

/** Gets tokens for what somebody else asserts of whom they are for. @see https://www.rfc-editor.org/rfc/rfc7523 */
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
