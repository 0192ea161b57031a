import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from './auth-error.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Network } from './network.ts'
import { jsonObjectOf } from './response-body.ts'
import { checkUrl } from './url-policy.ts'

const action = 'find out about the authorization server'

/** Where the metadata of an issuer may be, in the order in which to look. */
export function serverMetadataLocations(issuer: string, network: Network): readonly string[] {
  const { origin, pathname } = checkUrl(issuer, network.policy, action)
  const path = pathname.replace(/\/$/, '')
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
  const locations = [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`]
  return [...new Set(locations)].map((location) => `${origin}${location}`)
}

/** Asks an authorization server for its metadata. */
export function serverMetadataRequest(location: string, network: Network, signal?: AbortSignal): Promise<Response> {
  return guardedFetch({ url: location, headers: { accept: 'application/json' }, signal, action }, network)
}

/** Reads the metadata; undefined when there is none here, an error when its issuer is none of those expected. */
export async function processServerMetadata(
  response: Response,
  issuers: readonly string[],
): Promise<AuthorizationServer | undefined> {
  if (response.status >= 500) throw new AuthError('discovery', `Cannot ${action}: it answers ${response.status}`)
  const document = response.ok ? await jsonObjectOf(response) : undefined
  if (!document) return undefined
  const { issuer } = document
  // compared as it is written: names that are merely alike may belong to somebody else
  if (typeof issuer !== 'string' || !issuers.includes(issuer)) {
    const named = typeof issuer === 'string' ? `"${issuer.slice(0, 200)}"` : 'nobody'
    throw new AuthError('issuer', `Cannot ${action}: the metadata of "${issuers[0]}" is that of ${named}`)
  }
  return { ...document, issuer }
}

/** What an authorization server is taken to be that the server itself is, and that says nothing about itself. */
export function assumedMetadata(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}
