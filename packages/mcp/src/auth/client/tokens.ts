import type { JWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { type Scopes, scopesOf } from '../shared/scopes.ts'
import type { ClientAuthentication, RegisteredClient } from './client-authentication.ts'
import type { DpopKey } from './dpop-key.ts'
import { failureOf, type OAuthRequestOptions, oauthRequestOptions, recordingSecrets } from './oauth-requests.ts'

/** An access token, its refresh token, and what they are bound to. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** Expiry of the access token, in milliseconds since 1970, if the server named one. */
  readonly expiresAt?: number | undefined
  /** Milliseconds for which the access token is valid in all, if the server said so. */
  readonly lastsMs?: number | undefined
  /** The requested scopes. */
  readonly requested: Scopes
  /** The granted scopes. */
  readonly granted: Scopes
  /** The client that they were issued to, unless it is configured. */
  readonly client?: RegisteredClient | undefined
  /** The private key that the tokens are bound to. */
  readonly key?: JWK | undefined
}

/** A token endpoint, and how the client authenticates there. */
export interface TokenEndpoint extends ClientAuthentication, OAuthRequestOptions {
  readonly server: oauth.AuthorizationServer
  /** The DPoP key that the tokens are bound to. */
  readonly proof?: DpopKey | undefined
}

/** A grant type and its parameters. */
export interface TokenGrant {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Sends a token request. */
export function tokenRequest(at: TokenEndpoint, { type, parameters }: TokenGrant): Promise<Response> {
  const options = { ...oauthRequestOptions(at), ...(at.proof && { DPoP: at.proof.handle }) }
  return oauth.genericTokenEndpointRequest(at.server, at.client, at.authentication, type, { ...parameters }, options)
}

/** Reads a token response; an unknown token type is an error. */
export async function processTokenResponse(
  response: Response,
  at: TokenEndpoint,
  options?: oauth.ProcessTokenResponseOptions,
): Promise<oauth.TokenEndpointResponse> {
  const answer = await oauth.processGenericTokenEndpointResponse(at.server, at.client, response, options)
  // a token that is not a valid header value would appear in the error that reports it
  if (!/^[!-~]+$/.test(answer.access_token)) throw new AuthError('invalid', `Cannot ${at.action}: a token is malformed`)
  const isBound = answer.token_type === 'dpop'
  if (isBound !== (at.proof !== undefined)) {
    throw new AuthError('invalid', `Cannot ${at.action}: the token is bound to ${isBound ? 'a key' : 'no key'}`)
  }
  return answer
}

/** Sends a token request and reads the response; repeats it once when the server asks for a DPoP nonce. */
export async function exchange(
  at: TokenEndpoint,
  grant: TokenGrant,
  options?: oauth.ProcessTokenResponseOptions,
): Promise<oauth.TokenEndpointResponse> {
  const { network, secrets } = recordingSecrets(at.network)
  const once = async () => processTokenResponse(await tokenRequest({ ...at, network }, grant), at, options)
  try {
    return await once().catch((error) => (at.proof && oauth.isDPoPNonceError(error) ? once() : Promise.reject(error)))
  } catch (error) {
    throw await failureOf(error, at.action, secrets)
  }
}

/** The part of a token response that is stored. */
export function tokensOf(
  answer: oauth.TokenEndpointResponse,
  { proof, now }: { readonly proof: DpopKey | undefined; now(): number },
  requested: Scopes,
): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = answer
  return {
    accessToken,
    requested,
    granted: scope === undefined ? requested : scopesOf(scope),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresAt: now() + expiresIn * 1_000, lastsMs: expiresIn * 1_000 }),
    ...(proof && { key: proof.jwk }),
  }
}
