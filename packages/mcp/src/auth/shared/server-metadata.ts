import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from './auth-error.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Network } from './network.ts'
import { jsonObjectOf } from './response-body.ts'
import { checkUrl } from './url-policy.ts'

const action = 'find out about the authorization server'

/** The well-known URLs of an issuer, in order. */
export function serverMetadataLocations(issuer: string, network: Network): readonly string[] {
  const { origin, pathname } = checkUrl(issuer, network.policy, action)
  const path = pathname.replace(/\/$/, '')
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
  const locations = [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`]
  return [...new Set(locations)].map((location) => `${origin}${location}`)
}

/** Requests the metadata of an authorization server. */
export function serverMetadataRequest(location: string, network: Network, signal?: AbortSignal): Promise<Response> {
  return guardedFetch({ url: location, headers: { accept: 'application/json' }, signal, action }, network)
}

/** Reads the metadata; undefined when there is none, an error when its issuer is not an expected one. */
export async function processServerMetadata(
  response: Response,
  issuers: readonly string[],
): Promise<AuthorizationServer | undefined> {
  if (response.status >= 500) throw new AuthError('discovery', `Cannot ${action}: it answers ${response.status}`)
  const document = response.ok ? await jsonObjectOf(response) : undefined
  if (!document) return undefined
  const { issuer } = document
  // compared exactly: similar issuers may have another owner
  if (typeof issuer !== 'string' || !issuers.includes(issuer)) {
    const named = typeof issuer === 'string' ? `"${issuer.slice(0, 200)}"` : 'nobody'
    throw new AuthError('issuer', `Cannot ${action}: the metadata of "${issuers[0]}" is that of ${named}`)
  }
  return { ...document, issuer }
}

/** The default endpoints of a server that is its own authorization server and has no metadata. */
export function assumedMetadata(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}
