import { AuthError } from '../shared/auth-error.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import type { Network } from '../shared/network.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { type Claims, checkAudience, type Expected } from './claims.ts'
import { issuerMetadata } from './issuer-metadata.ts'
import type { Verify } from './jwt.ts'
import { TokenProblem } from './token-problem.ts'

/** Options of token introspection. @see https://www.rfc-editor.org/rfc/rfc7662 */
export interface IntrospectionOptions {
  /** The client id of this server. */
  readonly clientId: string
  readonly clientSecret: string
  /** The introspection endpoint. @default where the metadata of the issuer says */
  readonly endpoint?: string
}

const action = 'ask the authorization server about a token'

/** Verifies tokens by introspection. */
export function introspector(
  options: IntrospectionOptions,
  expected: Expected & { network: Network; maxInFlight: number },
): Verify {
  const { issuer, network, maxInFlight } = expected
  let asking = 0
  let endpoint = options.endpoint
  return async (token) => {
    if (asking >= maxInFlight)
      throw new AuthError('limit', `Cannot ${action}: ${maxInFlight} introspection requests are in flight already`)
    asking += 1
    try {
      endpoint ??= await endpointOf(issuer, network)
      const claims = await introspectionResponse(await introspectionRequest(token, endpoint, { ...options, network }))
      return checked(claims, expected)
    } finally {
      asking -= 1
    }
  }
}

async function endpointOf(issuer: string, network: Network): Promise<string> {
  const { introspection_endpoint: endpoint } = await issuerMetadata(issuer, network)
  if (endpoint !== undefined) return endpoint
  throw new AuthError(
    'discovery',
    `Cannot ${action}: the metadata of "${issuer}" does not say where; give it as "introspection.endpoint"`,
  )
}

function introspectionRequest(
  token: string,
  url: string,
  { clientId, clientSecret, network }: IntrospectionOptions & { network: Network },
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${btoa(`${encoded(clientId)}:${encoded(clientSecret)}`)}`,
  }
  const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString()
  return guardedFetch({ url, method: 'POST', headers, body, action }, network)
}

function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

async function introspectionResponse(response: Response): Promise<Claims> {
  const claims = response.ok ? await jsonObjectOf(response) : undefined
  if (!claims) throw new AuthError('invalid', `Cannot ${action}: it answers ${response.status}`)
  if (claims.active !== true) throw new TokenProblem('invalid_token', 'The token is not active')
  return claims
}

function checked(claims: Claims, { issuer, audiences }: Expected): Claims {
  const { iss = issuer } = claims
  if (iss !== issuer) throw new TokenProblem('invalid_token', 'The token was not issued by this authorization server')
  checkAudience(claims, audiences)
  return claims
}
