import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import type { Network } from '../shared/network.ts'
import {
  assumedMetadata,
  processServerMetadata,
  serverMetadataLocations,
  serverMetadataRequest,
} from '../shared/server-metadata.ts'
import {
  canonicalResource,
  processResourceMetadata,
  type ResourceMetadata,
  resourceMetadataLocations,
  resourceMetadataRequest,
} from './resource-metadata.ts'

/** What is known of a server and of who authorizes requests to it. */
export interface Discovered {
  readonly resource: Omit<ResourceMetadata, 'authorizationServers'>
  readonly authorizationServer: AuthorizationServer
}

export interface DiscoverOptions {
  readonly network: Network
  readonly signal?: AbortSignal | undefined
  /** Where the server says its metadata is. */
  readonly named?: string | undefined
  /** The issuers to choose when they are among several, the best first. */
  readonly preferred?: readonly string[]
}

/** Finds out what a server is called and who authorizes requests to it. */
export async function discover(server: URL, options: DiscoverOptions): Promise<Discovered> {
  const metadata = await resourceMetadata(server, options)
  const resource = metadata ?? { resource: canonicalResource(server), scopes: undefined, bindsTokens: false }
  const issuers = metadata?.authorizationServers ?? []
  const issuer = options.preferred?.find((candidate) => issuers.includes(candidate)) ?? issuers[0]
  const authorizationServer =
    issuer === undefined ? await ownServer(server, options) : await findServer(issuer, options)
  return { resource, authorizationServer }
}

/** Finds out about the authorization server that has this name. */
export async function findServer(issuer: string, options: DiscoverOptions): Promise<AuthorizationServer> {
  const found = await serverMetadata([issuer], options)
  if (found) return found
  throw new AuthError('discovery', `Cannot sign in: the authorization server "${issuer}" has no metadata`)
}

/** A server that names no other authorizes by itself, in the places that were agreed on before there was metadata. */
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
