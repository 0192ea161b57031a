import { McpError } from '../../wire/errors.ts'

/** How a protected server is called, and where it says so. @see https://www.rfc-editor.org/rfc/rfc9728 */
export interface ProtectedResource {
  /** The canonical address of the server. */
  readonly id: string
  /** The names by which tokens may be meant for it. */
  readonly names: readonly string[]
  readonly origin: string
  /** The address of its metadata. */
  readonly metadataUrl: string
  /** The paths of its metadata: one for the server, one for all that is at its origin. */
  readonly metadataPaths: readonly string[]
}

const wellKnown = '/.well-known/oauth-protected-resource'

/** Reads the address of a server as clients know it. */
export function resourceAt(address: string): ProtectedResource {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url?.host || url.hash !== '' || url.search !== '') {
    throw new McpError(
      'Misuse',
      `Cannot protect "${address}": give the address of the server, without query or fragment`,
    )
  }
  const { origin, pathname } = url
  const path = pathname === '/' ? '' : pathname
  return {
    id: `${origin}${path}`,
    // those who put addresses together from parts cannot leave out the last slash of an empty path
    names: path === '' ? [origin, `${origin}/`] : [`${origin}${path}`],
    origin,
    metadataUrl: `${origin}${wellKnown}${path}`,
    metadataPaths: [...new Set([`${wellKnown}${path}`, wellKnown])],
  }
}

export interface MetadataParts {
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly name: string | undefined
  /** The algorithms of proofs that a token is used by the one it was issued to. */
  readonly proofAlgorithms: readonly string[]
  readonly requiresProof: boolean
}

/** What a server says about who can authorize requests to it, as JSON. */
export function resourceMetadata({ id }: ProtectedResource, parts: MetadataParts): string {
  return JSON.stringify({
    resource: id,
    authorization_servers: [parts.issuer],
    ...(parts.scopes.length > 0 && { scopes_supported: parts.scopes }),
    bearer_methods_supported: ['header'],
    ...(parts.name !== undefined && { resource_name: parts.name }),
    dpop_signing_alg_values_supported: parts.proofAlgorithms,
    ...(parts.requiresProof && { dpop_bound_access_tokens_required: true }),
  })
}
