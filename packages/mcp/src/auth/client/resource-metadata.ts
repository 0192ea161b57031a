import { AuthError } from '../shared/auth-error.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import type { Network } from '../shared/network.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { type Scopes, scopesOf } from '../shared/scopes.ts'
import { checkOwnUrl } from '../shared/url-policy.ts'

/** What a server says about who can authorize requests to it. @see https://www.rfc-editor.org/rfc/rfc9728 */
export interface ResourceMetadata {
  /** The identifier that tokens for the server are meant for. */
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: Scopes | undefined
  /** Whether tokens must be bound to a key. */
  readonly bindsTokens: boolean
}

const action = 'find out who authorizes requests to the server'

/** Where the metadata may be: where the server says, below a path like its own, or at the root. */
export function resourceMetadataLocations(server: URL, named?: string): readonly string[] {
  const { origin, pathname, search } = server
  const root = `${origin}/.well-known/oauth-protected-resource`
  const own = `${root}${pathname === '/' ? '' : pathname}${search}`
  return [...new Set(named === undefined ? [own, root] : [named, own, root])]
}

/** Asks a server, or whom the user trusts to speak for it, for its metadata. */
export function resourceMetadataRequest(location: string, network: Network, signal?: AbortSignal): Promise<Response> {
  const headers = { accept: 'application/json' }
  return guardedFetch({ url: location, headers, signal, action, check: checkOwnUrl }, network)
}

/** Reads the metadata; undefined when there is none here, an error when it is not that of the server. */
export async function processResourceMetadata(response: Response, server: URL): Promise<ResourceMetadata | undefined> {
  if (response.status >= 500) throw new AuthError('discovery', `Cannot ${action}: it answers ${response.status}`)
  const document = response.ok ? await jsonObjectOf(response) : undefined
  if (!document) return undefined
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document
  if (typeof resource !== 'string' || !identifies(resource, server)) {
    throw new AuthError('discovery', `Cannot ${action}: its metadata is that of another resource`)
  }
  return {
    resource,
    authorizationServers: strings(servers) ?? [],
    scopes: strings(scopes) && scopesOf(strings(scopes)?.join(' ')),
    bindsTokens: document.dpop_bound_access_tokens_required === true,
  }
}

/** The identifier of a server that does not say what it is, without a query, which may hold secrets. */
export function canonicalResource(server: URL): string {
  const { origin, pathname } = server
  return pathname === '/' ? origin : `${origin}${pathname}`
}

/** Whether a resource is the server, or what the server is a part of. */
function identifies(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, hash } = new URL(resource)
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`
  return origin === server.origin && hash === '' && `${server.pathname}/`.startsWith(folder)
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}
