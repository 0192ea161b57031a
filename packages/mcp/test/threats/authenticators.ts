/** Gates that decide by themselves, for tests of what stands behind them. */
import type { HttpOptions } from '@trunkline/mcp/http'

export type Authenticator = NonNullable<HttpOptions['auth']>

/** Lets all requests in as one caller, until a time if one is given. */
export function openAuthenticator(expiresAt?: number): Authenticator {
  const challengeFor = () => ({ status: 403, message: 'Forbidden', headers: {} })
  const guest = { principal: 'ann', scopes: [], claims: {}, expiresAt, headers: {}, challengeFor }
  return { documents: new Map(), authenticate: async () => guest }
}

/** Lets no request in. */
export const closedAuthenticator: Authenticator = {
  documents: new Map([['/.well-known/oauth-protected-resource/mcp', '{}']]),
  authenticate: async () => ({ status: 401, message: 'Unauthorized', headers: { 'www-authenticate': 'Bearer' } }),
}
