import { generateRandomState } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { type Scopes, union } from '../shared/scopes.ts'
import { secretAuthentication } from './authentication.ts'
import { authorizationUrl, type PendingAuthorization, pendingAuthorization, processCallback } from './authorization.ts'
import { type BrowserRedirect, openRedirect, type RedirectChoice } from './browser-redirect.ts'
import { type ClientChoice, knownClient, registeredClient } from './client.ts'
import type { Need } from './grant.ts'
import type { RegisteredClient } from './registration.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

export interface AskUserOptions extends ClientChoice, RedirectChoice {}

/** Asks the user for permission, on a page of the authorization server. */
export async function askUser(options: AskUserOptions, need: Need): Promise<Tokens> {
  const known = await knownClient(options, need)
  const state = generateRandomState()
  const visit = await openRedirect(options, state, known?.redirectUri)
  try {
    const client = fits(known, visit) ? known : await registeredClient(options, visit.redirectUri, need)
    const pending = pendingAuthorization(await demandOf(client, visit, need), state)
    const code = await processCallback(await answerOf(visit, pending, need), pending)
    const tokens = await redeemed(code, { pending, client, need })
    // what the program brings along is not ours to keep
    return options.client ? tokens : { ...tokens, client }
  } finally {
    await visit.close()
  }
}

/** Whether a client may come back this way; one that was registered with another address would be turned away. */
function fits(known: RegisteredClient | undefined, { redirectUri }: BrowserRedirect): known is RegisteredClient {
  return known !== undefined && (known.redirectUri ?? redirectUri) === redirectUri
}

async function demandOf({ clientId }: RegisteredClient, { redirectUri }: BrowserRedirect, need: Need) {
  const { authorizationServer: server, resource, proof } = need
  const thumbprint = await proof?.thumbprint()
  return { server, clientId, redirectUri, resource: resource.resource, scopes: lasting(need), thumbprint }
}

/** Asks for tokens that outlive the visit, where that has to be said. */
function lasting({ scopes, authorizationServer }: Need): Scopes {
  const isOffered = authorizationServer.scopes_supported?.includes('offline_access') ?? false
  return isOffered ? union(scopes, ['offline_access']) : scopes
}

async function answerOf(visit: BrowserRedirect, pending: PendingAuthorization, need: Need): Promise<URLSearchParams> {
  const { maxSignInMs } = need.limits
  const url = await authorizationUrl(pending, need.network)
  const expiry = AbortSignal.timeout(maxSignInMs)
  try {
    return await visit.take(url, AbortSignal.any([need.signal, expiry]))
  } catch (error) {
    need.signal.throwIfAborted()
    if (expiry.aborted)
      throw new AuthError('sign-in', `Cannot sign in: nobody did within the ${maxSignInMs} ms of "limits.maxSignInMs"`)
    throw error
  }
}

interface Redemption {
  readonly pending: PendingAuthorization
  readonly client: RegisteredClient
  readonly need: Need
}

async function redeemed(code: string, { pending, client, need }: Redemption): Promise<Tokens> {
  const { server, redirectUri, codeVerifier, resource, scopes } = pending
  const { proof, network, signal } = need
  const at = { ...secretAuthentication(client, server), server, proof, network, signal, action: 'sign in' }
  const parameters = { code, redirect_uri: redirectUri, code_verifier: codeVerifier, resource }
  return tokensOf(await exchange(at, { type: 'authorization_code', parameters }), need, scopes)
}
