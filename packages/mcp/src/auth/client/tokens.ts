import type { JWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { type Scopes, scopesOf } from '../shared/scopes.ts'
import type { ClientAuthentication, RegisteredClient } from './client-authentication.ts'
import type { DpopKey } from './dpop-key.ts'
import { failureOf, type OAuthRequestOptions, oauthRequestOptions, recordingSecrets } from './oauth-requests.ts'

/** What a server is shown, and what more of it is got by. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** When the access token ends, in milliseconds since 1970, as far as that is known. */
  readonly expiresAt?: number | undefined
  /** The scopes that were asked for. */
  readonly requested: Scopes
  /** The scopes that were given. */
  readonly granted: Scopes
  /** Whom they were given to, unless that is known anyway. */
  readonly client?: RegisteredClient | undefined
  /** The private key that the tokens are bound to. */
  readonly key?: JWK | undefined
}

/** An authorization server, as a client faces it that asks for tokens. */
export interface TokenEndpoint extends ClientAuthentication, OAuthRequestOptions {
  readonly server: oauth.AuthorizationServer
  /** What the tokens shall be bound to. */
  readonly proof?: DpopKey | undefined
}

/** What tokens are asked for by: a type of grant and what belongs to it. */
export interface TokenGrant {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Asks for tokens. */
export function tokenRequest(at: TokenEndpoint, { type, parameters }: TokenGrant): Promise<Response> {
  const options = { ...oauthRequestOptions(at), ...(at.proof && { DPoP: at.proof.handle }) }
  return oauth.genericTokenEndpointRequest(at.server, at.client, at.authentication, type, { ...parameters }, options)
}

/** Reads the tokens; a type other than those that are known fails. */
export async function processTokenResponse(
  response: Response,
  at: TokenEndpoint,
  options?: oauth.ProcessTokenResponseOptions,
): Promise<oauth.TokenEndpointResponse> {
  const answer = await oauth.processGenericTokenEndpointResponse(at.server, at.client, response, options)
  // a token that breaks a header would be repeated by whoever reports that
  if (!/^[!-~]+$/.test(answer.access_token)) throw new AuthError('invalid', `Cannot ${at.action}: a token is malformed`)
  const isBound = answer.token_type === 'dpop'
  if (isBound !== (at.proof !== undefined)) {
    throw new AuthError('invalid', `Cannot ${at.action}: the token is bound to ${isBound ? 'a key' : 'no key'}`)
  }
  return answer
}

/** Asks for tokens and reads them, once more if only a number was missing that the server wants to see. */
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

/** What is kept of an answer. */
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
    ...(expiresIn !== undefined && { expiresAt: now() + expiresIn * 1_000 }),
    ...(proof && { key: proof.jwk }),
  }
}
