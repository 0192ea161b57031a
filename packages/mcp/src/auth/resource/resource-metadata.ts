import { McpError } from '../../wire/errors.ts'

/** A protected resource, and where its metadata is. @see https://www.rfc-editor.org/rfc/rfc9728 */
export interface ProtectedResource {
  /** The canonical URL of the server. */
  readonly id: string
  /** The audiences that tokens may have. */
  readonly names: readonly string[]
  readonly origin: string
  /** The URL of its metadata. */
  readonly metadataUrl: string
  /** The paths of its metadata: with the path of the server, and at the root. */
  readonly metadataPaths: readonly string[]
}

const wellKnown = '/.well-known/oauth-protected-resource'

/** Makes a resource of the public URL of a server. */
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
    // URL parsers always add the slash of an empty path
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
  /** The accepted algorithms of DPoP proofs. */
  readonly proofAlgorithms: readonly string[]
  readonly requiresProof: boolean
}

/** The protected resource metadata as JSON. */
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
