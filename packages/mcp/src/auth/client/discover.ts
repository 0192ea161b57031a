import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import type { Network } from '../shared/network.ts'
import { jsonObjectOf } from '../shared/response-body.ts'
import { type Scopes, scopesOf } from '../shared/scopes.ts'
import {
  assumedMetadata,
  processServerMetadata,
  serverMetadataLocations,
  serverMetadataRequest,
} from '../shared/server-metadata.ts'
import { checkOwnUrl } from '../shared/url-policy.ts'

/** The metadata of a server and of its authorization server. */
export interface Discovered {
  readonly resource: Omit<ResourceMetadata, 'authorizationServers'>
  readonly authorizationServer: AuthorizationServer
}

export interface DiscoverOptions {
  readonly network: Network
  readonly signal?: AbortSignal | undefined
  /** The `resource_metadata` URL that the server named. */
  readonly named?: string | undefined
  /** The issuers to prefer when the server names several, best first. */
  readonly preferred?: readonly string[]
}

/** Discovers the resource metadata of a server and the metadata of its authorization server. */
export async function discover(server: URL, options: DiscoverOptions): Promise<Discovered> {
  const metadata = await resourceMetadata(server, options)
  const resource = metadata ?? { resource: canonicalResource(server), scopes: undefined, bindsTokens: false }
  const issuers = metadata?.authorizationServers ?? []
  const issuer = options.preferred?.find((candidate) => issuers.includes(candidate)) ?? issuers[0]
  const authorizationServer =
    issuer === undefined ? await ownServer(server, options) : await findServer(issuer, options)
  return { resource, authorizationServer }
}

/** Fetches the metadata of the authorization server with this issuer. */
export async function findServer(issuer: string, options: DiscoverOptions): Promise<AuthorizationServer> {
  const found = await serverMetadata([issuer], options)
  if (found) return found
  throw new AuthError('discovery', `Cannot sign in: the authorization server "${issuer}" has no metadata`)
}

/** A server that names no authorization server is its own, with the default endpoints of revisions before metadata. */
async function ownServer({ origin }: URL, options: DiscoverOptions): Promise<AuthorizationServer> {
  return (await serverMetadata([origin, `${origin}/`], options)) ?? assumedMetadata(origin)
}

async function resourceMetadata(
  server: URL,
  { network, signal, named }: DiscoverOptions,
): Promise<ResourceMetadata | undefined> {
  for (const location of resourceMetadataLocations(server, named)) {
    const found = await processResourceMetadata(await resourceMetadataRequest(location, network, signal), server)
    if (found) return found
  }
  return undefined
}

async function serverMetadata(
  issuers: readonly [string, ...string[]],
  { network, signal }: DiscoverOptions,
): Promise<AuthorizationServer | undefined> {
  for (const location of serverMetadataLocations(issuers[0], network)) {
    const found = await processServerMetadata(await serverMetadataRequest(location, network, signal), issuers)
    if (found) return found
  }
  return undefined
}

/** The protected resource metadata of a server. @see https://www.rfc-editor.org/rfc/rfc9728 */
export interface ResourceMetadata {
  /** The resource identifier that tokens are requested for. */
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: Scopes | undefined
  /** True if tokens must be bound to a key. */
  readonly bindsTokens: boolean
}

const action = 'find out who authorizes requests to the server'

/** The URLs where the metadata may be: the one the server names, the well-known URI with its path, and the root. */
export function resourceMetadataLocations(server: URL, named?: string): readonly string[] {
  const { origin, pathname, search } = server
  const root = `${origin}/.well-known/oauth-protected-resource`
  const own = `${root}${pathname === '/' ? '' : pathname}${search}`
  return [...new Set(named === undefined ? [own, root] : [named, own, root])]
}

/** Requests the metadata from the server, or from an origin that the user trusts. */
export function resourceMetadataRequest(location: string, network: Network, signal?: AbortSignal): Promise<Response> {
  const headers = { accept: 'application/json' }
  return guardedFetch({ url: location, headers, signal, action, check: checkOwnUrl }, network)
}

/** Reads the metadata; undefined when there is none, an error when it describes another server. */
export async function processResourceMetadata(response: Response, server: URL): Promise<ResourceMetadata | undefined> {
  if (response.status >= 500) throw new AuthError('discovery', `Cannot ${action}: it answers ${response.status}`)
  const document = response.ok ? await jsonObjectOf(response) : undefined
  if (!document) return undefined
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document
  if (typeof resource !== 'string' || !identifies(resource, server)) {
    throw new AuthError('discovery', `Cannot ${action}: its metadata describes another resource`)
  }
  return {
    resource,
    authorizationServers: strings(servers) ?? [],
    scopes: strings(scopes) && scopesOf(strings(scopes)?.join(' ')),
    bindsTokens: document.dpop_bound_access_tokens_required === true,
  }
}

/** The resource identifier of a server without metadata: its URL without the query, which may contain secrets. */
export function canonicalResource(server: URL): string {
  const { origin, pathname } = server
  return pathname === '/' ? origin : `${origin}${pathname}`
}

/** True if a resource identifier is the server's URL or a parent of it. */
function identifies(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, hash } = new URL(resource)
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`
  return origin === server.origin && hash === '' && `${server.pathname}/`.startsWith(folder)
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

const header = 'mcp-protocol-version'

/** A network that sends `MCP-Protocol-Version` to the server, and nowhere else. */
export function withVersionHeader(network: Network, revision: string | undefined): Network {
  if (revision === undefined) return network
  const { fetch, policy } = network
  return {
    ...network,
    fetch(outbound) {
      if (outbound.url.origin !== policy.server.origin) return fetch(outbound)
      return fetch({ ...outbound, headers: { ...outbound.headers, [header]: revision } })
    },
  }
}
