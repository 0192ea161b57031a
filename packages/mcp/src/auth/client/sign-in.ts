import { platform } from '#auth'
import type { KnownOptions } from '../../wire/known-options.ts'
import { AuthError } from '../shared/auth-error.ts'
import { type AuthOptions, addressIn, authSettings } from './auth-options.ts'
import { type AskUserOptions, askUser } from './authorization-code.ts'
import { type RegisteredClient, secretAuthentication } from './client-authentication.ts'
import { checkClientChoice } from './client-registration.ts'
import type { Grant, GrantRequest } from './grant.ts'
import { TokenAuthorizer } from './token-authorizer.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** Options of {@link signIn}. */
export interface SignInOptions extends AuthOptions, AskUserOptions {}

/** Authorizes a user, who is asked in the browser once; later the tokens are loaded from the store and refreshed. */
export function signIn(options: SignInOptions = {}): TokenAuthorizer {
  checkClientChoice(options)
  if (options.redirectUri !== undefined) addressIn('redirectUri', options.redirectUri)
  const grant: Grant = {
    isBound: options.client !== undefined,
    obtain: (request) => askUser(options, request).catch((error: unknown) => doubted(error, request)),
    renew: (tokens, request) => refresh(tokens, options.client ?? tokens.client, request),
  }
  return new TokenAuthorizer(grant, authSettings(options, { store: platform.defaultSecrets, known: knownOptions }))
}

const knownOptions = {
  client: true,
  clientIdUrl: true,
  clientName: true,
  redirectUri: true,
  open: true,
  visit: true,
} as const satisfies KnownOptions<AskUserOptions>

/** Drops the stored client when the server may no longer know it, so that the next attempt registers again. */
async function doubted(error: unknown, { records, authorizationServer }: GrantRequest): Promise<never> {
  const isSilence = error instanceof AuthError && error.problem === 'sign-in'
  if (isSilence || isForgotten(error)) await records.dropClient(authorizationServer.issuer)
  throw error
}

/** Refreshes tokens; undefined when the server no longer accepts the refresh token. */
export async function refresh(
  before: Tokens,
  client: RegisteredClient | undefined,
  request: GrantRequest,
): Promise<Tokens | undefined> {
  const { refreshToken, requested, granted } = before
  if (refreshToken === undefined || !client) return undefined
  const { authorizationServer: server, resource, proof, network, signal } = request
  const at = { ...secretAuthentication(client, server), server, proof, network, signal, action: 'renew the tokens' }
  const parameters = { refresh_token: refreshToken, resource: resource.resource }
  try {
    const answer = await exchange(at, { type: 'refresh_token', parameters })
    // scopes and refresh token stay the same when the response omits them
    const tokens = tokensOf({ scope: granted.join(' '), ...answer }, request, requested)
    return { ...before, ...tokens }
  } catch (error) {
    if (isForgotten(error)) await request.records.dropClient(server.issuer)
    else if (!(error instanceof AuthError && error.error === 'invalid_grant')) throw error
    return undefined
  }
}

/** True if an error means that the server does not know the client. */
export function isForgotten(error: unknown): boolean {
  return error instanceof AuthError && (error.error === 'invalid_client' || error.error === 'unauthorized_client')
}
