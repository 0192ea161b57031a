/** Gates that decide without asking anybody, for tests of what stands behind them. */
import type { HttpOptions } from '@trunkline/mcp/http'

export type Gate = NonNullable<HttpOptions['auth']>

/** Lets everybody in as one caller, until a time if one is given. */
export function openGate(expiresAt?: number): Gate {
  const demand = () => ({ status: 403, message: 'Forbidden', headers: {} })
  const guest = { principal: 'ann', scopes: [], claims: {}, expiresAt, headers: {}, demand }
  return { documents: new Map(), admit: async () => guest }
}

/** Lets nobody in. */
export const closedGate: Gate = {
  documents: new Map([['/.well-known/oauth-protected-resource/mcp', '{}']]),
  admit: async () => ({ status: 401, message: 'Unauthorized', headers: { 'www-authenticate': 'Bearer' } }),
}
