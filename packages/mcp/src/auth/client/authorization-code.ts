import * as oauth from 'oauth4webapi'
import { generateRandomState } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import { type Scopes, union } from '../shared/scopes.ts'
import { checkUrl } from '../shared/url-policy.ts'
import { type BrowserRedirect, openRedirect, type RedirectChoice } from './browser-redirect.ts'
import { type RegisteredClient, secretAuthentication } from './client-authentication.ts'
import { type ClientChoice, knownClient, registeredClient } from './client-registration.ts'
import type { GrantRequest } from './grant.ts'
import { failureOf } from './oauth-requests.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** The client that asks for authorization, and its redirect URI. */
export interface AskUserOptions extends ClientChoice, RedirectChoice {}

/** Asks the user for authorization on a page of the authorization server, and exchanges the code for tokens. */
export async function askUser(options: AskUserOptions, request: GrantRequest): Promise<Tokens> {
  const known = await knownClient(options, request)
  const state = generateRandomState()
  const visit = await openRedirect(options, state, known?.redirectUri)
  try {
    const client = fits(known, visit) ? known : await registeredClient(options, visit.redirectUri, request)
    const pending = pendingAuthorization(await demandOf(client, visit, request), state)
    const code = await processCallback(await answerOf(visit, pending, request), pending)
    const tokens = await redeemed(code, { pending, client, request })
    // a client that the program configured is not stored
    return options.client ? tokens : { ...tokens, client }
  } finally {
    await visit.close()
  }
}

/** True if a client may use this redirect URI; the server rejects one that was not registered. */
function fits(known: RegisteredClient | undefined, { redirectUri }: BrowserRedirect): known is RegisteredClient {
  return known !== undefined && (known.redirectUri ?? redirectUri) === redirectUri
}

async function demandOf({ clientId }: RegisteredClient, { redirectUri }: BrowserRedirect, request: GrantRequest) {
  const { authorizationServer: server, resource, proof } = request
  const thumbprint = await proof?.thumbprint()
  return { server, clientId, redirectUri, resource: resource.resource, scopes: lasting(request), thumbprint }
}

/** Adds `offline_access` where the server needs it to issue refresh tokens. */
function lasting({ scopes, authorizationServer }: GrantRequest): Scopes {
  const isOffered = authorizationServer.scopes_supported?.includes('offline_access') ?? false
  return isOffered ? union(scopes, ['offline_access']) : scopes
}

async function answerOf(
  visit: BrowserRedirect,
  pending: PendingAuthorization,
  request: GrantRequest,
): Promise<URLSearchParams> {
  const { maxSignInMs } = request.limits
  const url = await authorizationUrl(pending, request.network)
  const expiry = AbortSignal.timeout(maxSignInMs)
  try {
    return await visit.take(url, AbortSignal.any([request.signal, expiry]))
  } catch (error) {
    request.signal.throwIfAborted()
    if (expiry.aborted)
      throw new AuthError(
        'sign-in',
        `Cannot sign in: the user did not finish within the ${maxSignInMs} ms of "limits.maxSignInMs"`,
      )
    throw error
  }
}

interface Redemption {
  readonly pending: PendingAuthorization
  readonly client: RegisteredClient
  readonly request: GrantRequest
}

async function redeemed(code: string, { pending, client, request }: Redemption): Promise<Tokens> {
  const { server, redirectUri, codeVerifier, resource, scopes } = pending
  const { proof, network, signal } = request
  const at = { ...secretAuthentication(client, server), server, proof, network, signal, action: 'sign in' }
  const parameters = { code, redirect_uri: redirectUri, code_verifier: codeVerifier, resource }
  return tokensOf(await exchange(at, { type: 'authorization_code', parameters }), request, scopes)
}

/** The demand that the user is asked to allow. */
export interface AuthorizationDemand {
  readonly server: oauth.AuthorizationServer
  readonly clientId: string
  readonly redirectUri: string
  readonly resource: string
  readonly scopes: Scopes
  /** The thumbprint of the DPoP key that the code is bound to. */
  readonly thumbprint?: string | undefined
}

/** An authorization request that has no response yet; only the server that is recorded here may answer it. */
export interface PendingAuthorization extends AuthorizationDemand {
  readonly state: string
  readonly codeVerifier: string
}

const action = 'sign in'
const longest = 16_384

/** Starts an authorization request: state, PKCE verifier and issuer. */
export function pendingAuthorization(demand: AuthorizationDemand, state: string): PendingAuthorization {
  return { ...demand, state, codeVerifier: oauth.generateRandomCodeVerifier() }
}

/** The URL of the authorization endpoint; throws when the server does not support PKCE. */
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
    // servers issue a refresh token only with consent
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(thumbprint !== undefined && { dpop_jkt: thumbprint }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  url.hash = ''
  if (url.href.length > longest) throw new AuthError('limit', `Cannot ${action}: the address is too long`)
  return url
}

/** Reads the code from the redirect, after checking its issuer and state. */
export async function processCallback(parameters: URLSearchParams, pending: PendingAuthorization): Promise<string> {
  const { server, clientId, state } = pending
  try {
    checkIssuer(parameters.get('iss'), server)
    const code = oauth.validateAuthResponse(server, { client_id: clientId }, parameters, state).get('code')
    if (!code) throw new AuthError('invalid', `Cannot ${action}: the response contains no code`)
    return code
  } catch (error) {
    throw await failureOf(error, action, [...parameters.getAll('code'), state])
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9207#section-2.4 */
function checkIssuer(issuer: string | null, server: oauth.AuthorizationServer): void {
  const isMissing = issuer === null && server.authorization_response_iss_parameter_supported === true
  if (isMissing) throw new AuthError('issuer', `Cannot ${action}: the response has no "iss"`)
  if (issuer !== null && issuer !== server.issuer) {
    throw new AuthError('issuer', `Cannot ${action}: the response does not come from "${server.issuer}"`)
  }
}
