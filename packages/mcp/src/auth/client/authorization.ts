import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import type { Scopes } from '../shared/scopes.ts'
import { checkUrl } from '../shared/url-policy.ts'
import { failureOf } from './oauth.ts'

/** What the user is asked to allow. */
export interface AuthorizationDemand {
  readonly server: oauth.AuthorizationServer
  readonly clientId: string
  readonly redirectUri: string
  readonly resource: string
  readonly scopes: Scopes
  /** What the code shall be bound to. */
  readonly thumbprint?: string | undefined
}

/** A question to the user that has no answer yet; it is for the server that is recorded here and no other. */
export interface PendingAuthorization extends AuthorizationDemand {
  readonly state: string
  readonly codeVerifier: string
}

const action = 'sign in'
const longest = 16_384

/** Starts a question to the user. */
export function pendingAuthorization(demand: AuthorizationDemand, state: string): PendingAuthorization {
  return { ...demand, state, codeVerifier: oauth.generateRandomCodeVerifier() }
}

/** The page on which the user answers; throws when the server could not tell who redeems the code. */
export async function authorizationUrl(pending: PendingAuthorization, network: Network): Promise<URL> {
  const { server, scopes, thumbprint } = pending
  if (!server.code_challenge_methods_supported?.includes('S256')) {
    throw new AuthError('discovery', `Cannot ${action}: the authorization server does not offer PKCE with S256`)
  }
  const url = checkUrl(server.authorization_endpoint ?? '', network.policy, action)
  const parameters = {
    response_type: 'code',
    client_id: pending.clientId,
    redirect_uri: pending.redirectUri,
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    resource: pending.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // without it servers give no token that outlives the visit
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(thumbprint !== undefined && { dpop_jkt: thumbprint }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  url.hash = ''
  if (url.href.length > longest) throw new AuthError('limit', `Cannot ${action}: the address is too long`)
  return url
}

/** The code that the browser brings back; whoever sent it is checked before anything is believed. */
export async function processCallback(parameters: URLSearchParams, pending: PendingAuthorization): Promise<string> {
  const { server, clientId, state } = pending
  try {
    checkIssuer(parameters.get('iss'), server)
    const code = oauth.validateAuthResponse(server, { client_id: clientId }, parameters, state).get('code')
    if (!code) throw new AuthError('invalid', `Cannot ${action}: the answer brings no code`)
    return code
  } catch (error) {
    throw await failureOf(error, action, [...parameters.getAll('code'), state])
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9207#section-2.4 */
function checkIssuer(issuer: string | null, server: oauth.AuthorizationServer): void {
  const isMissing = issuer === null && server.authorization_response_iss_parameter_supported === true
  if (isMissing) throw new AuthError('issuer', `Cannot ${action}: the answer does not say who sends it`)
  if (issuer !== null && issuer !== server.issuer) {
    throw new AuthError('issuer', `Cannot ${action}: the answer does not come from "${server.issuer}"`)
  }
}
