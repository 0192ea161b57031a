import { AuthError } from '../shared/auth-error.ts'
import { secretAuthentication } from './authentication.ts'
import type { Need } from './grant.ts'
import type { RegisteredClient } from './registration.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** Gets tokens by the one that came with the last; undefined when the server does not take it any more. */
export async function refresh(
  before: Tokens,
  client: RegisteredClient | undefined,
  need: Need,
): Promise<Tokens | undefined> {
  const { refreshToken, requested, granted } = before
  if (refreshToken === undefined || !client) return undefined
  const { authorizationServer: server, resource, proof, network, signal } = need
  const at = { ...secretAuthentication(client, server), server, proof, network, signal, action: 'renew the tokens' }
  const parameters = { refresh_token: refreshToken, resource: resource.resource }
  try {
    const answer = await exchange(at, { type: 'refresh_token', parameters })
    // what is not mentioned stays as it was, the refresh token too
    const tokens = tokensOf({ scope: granted.join(' '), ...answer }, need, requested)
    return { ...before, ...tokens }
  } catch (error) {
    if (isForgotten(error)) await need.records.dropClient(server.issuer)
    else if (!(error instanceof AuthError && error.error === 'invalid_grant')) throw error
    return undefined
  }
}

/** Whether a server says that it does not know the client, or not any more. */
export function isForgotten(error: unknown): boolean {
  return error instanceof AuthError && (error.error === 'invalid_client' || error.error === 'unauthorized_client')
}
