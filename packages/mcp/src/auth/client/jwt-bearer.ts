import type { KeyedClient } from './authentication.ts'
import { shown } from './client-credentials.ts'
import type { Need } from './grant.ts'
import type { RegisteredClient } from './registration.ts'
import { exchange, type Tokens, tokensOf } from './tokens.ts'

/** Gets tokens for what somebody else asserts of whom they are for. @see https://www.rfc-editor.org/rfc/rfc7523 */
export async function byAssertion(
  assertion: string,
  client: RegisteredClient | KeyedClient,
  need: Need,
): Promise<Tokens> {
  const { authorizationServer: server, resource, scopes, proof, network, signal } = need
  const at = { ...(await shown(client, need)), server, proof, network, signal, action: 'get a token by an assertion' }
  const parameters = {
    assertion,
    resource: resource.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const answer = await exchange(at, { type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', parameters })
  return tokensOf(answer, need, scopes)
}
