import { platform } from '#auth'
import { McpError } from '../../wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from '../../wire/known-options.ts'
import { resolveKnownLimits } from '../../wire/resolve-limits.ts'
import type { Network } from '../shared/network.ts'
import type { Authenticator } from './authenticator.ts'
import type { Expected } from './claims.ts'
import { type DpopOptions, dpopDefaults, Proofs } from './dpop/proofs.ts'
import { type IntrospectionOptions, introspector } from './introspection.ts'
import { issuerKeys } from './issuer-keys.ts'
import { asymmetricAlgorithms, jwtVerifier, type Verify } from './jwt.ts'
import { type ProtectLimits, protectLimits } from './protect-limits.ts'
import { ProtectedResources, type SsePaths } from './protected-resources.ts'
import { TokenAuthenticator } from './token-authenticator.ts'
import { cachedVerify } from './verified-token-cache.ts'

/** Options of {@link protect}. */
export interface ProtectOptions {
  /** The authorization server whose tokens are accepted. */
  readonly issuer: string
  /** The public URL of this server, or a function that returns it once it is known. */
  readonly resource: string | (() => string)
  /** The paths of the HTTP+SSE transport, which is a resource of its own. @default nowhere */
  readonly sse?: SsePaths
  /**
   * The audience that tokens must have. @default the address it is shown at, exactly: that of the server, or of its
   * streams
   */
  readonly audience?: string | readonly string[]
  /** Address of the issuer's keys. @default taken from its metadata */
  readonly jwksUri?: string
  /** Introspects every token, for opaque tokens. @default tokens are read */
  readonly introspection?: IntrospectionOptions
  /** The accepted signature algorithms. @default all in which the key that verifies a token cannot make one */
  readonly algorithms?: readonly string[]
  /** The scopes that every request needs; a tool can require more in its definition. @default nothing */
  readonly scopes?: readonly string[]
  /** The scopes that a broader one implies. @default none */
  readonly implied?: { readonly [scope: string]: readonly string[] }
  /** Options of DPoP-bound tokens, which are always accepted. */
  readonly dpop?: DpopOptions
  /** The name of this server for people. */
  readonly name?: string
  /** Milliseconds for which a verified token is not checked again. @default 60_000, or 0 when the issuer is asked */
  readonly rememberMs?: number
  /** Difference allowed between clocks, in milliseconds. @default 5_000 */
  readonly leewayMs?: number
  /** Limits of caches and of requests to the authorization server. */
  readonly limits?: Partial<ProtectLimits>
  /** @default Date.now */
  readonly now?: () => number
}

const defaults = {
  algorithms: asymmetricAlgorithms,
  scopes: [],
  implied: {},
  rememberMs: 60_000,
  leewayMs: 5_000,
  now: Date.now,
} as const satisfies Partial<ProtectOptions>

/** Requires an access token that one authorization server issued for this server. */
export function protect(options: ProtectOptions): Authenticator {
  refuseUnknownOptions('Cannot protect the server', options, knownOptions)
  const { resource } = options
  for (const [name, url] of Object.entries(named(options))) {
    if (URL.canParse(url)) continue
    throw new McpError('Misuse', `Cannot protect the server: give "${name}" as a URL, not as ${JSON.stringify(url)}`)
  }
  const settings = { ...options, limits: resolveKnownLimits(protectLimits, options.limits) }
  return typeof resource === 'string' ? gateAt(resource, settings) : later(() => gateAt(resource(), settings))
}

const knownOptions = {
  issuer: true,
  resource: true,
  sse: true,
  audience: true,
  jwksUri: true,
  introspection: true,
  algorithms: true,
  scopes: true,
  implied: true,
  dpop: true,
  name: true,
  rememberMs: true,
  leewayMs: true,
  limits: true,
  now: true,
} as const satisfies KnownOptions<ProtectOptions>

/** The options with their default limits. */
type Settings = ProtectOptions & { readonly limits: ProtectLimits }

function gateAt(address: string, options: Settings): Authenticator {
  const { issuer, audience, name, sse, limits } = options
  const { scopes, implied, leewayMs, now } = { ...defaults, ...options }
  const resources = new ProtectedResources(address, sse)
  const proofs = new Proofs({ ...options.dpop, maxProofs: limits.maxProofsRemembered, leewayMs, now })
  const requiresProof = options.dpop?.required ?? dpopDefaults.required
  const given = audience === undefined ? undefined : [audience].flat()
  const audiences = given ?? resources.names
  return new TokenAuthenticator({
    issuer,
    resources,
    documents: resources.documents({ issuer, scopes, name, requiresProof, proofAlgorithms: proofs.algorithms }),
    verify: verifierOf({ ...options, issuer, audiences, network: networkOf(resources.main.origin, options) }),
    audiencesAt: (path) => given ?? resources.at(path).names,
    proofs,
    requiresProof,
    scopes,
    implied,
  })
}

function verifierOf(options: Omit<Settings, 'resource'> & Expected & { network: Network }): Verify {
  const { introspection, rememberMs, limits } = options
  const settings = { ...defaults, ...options }
  const verify = introspection
    ? introspector(introspection, { ...options, maxInFlight: limits.maxIntrospectionsInFlight })
    : jwtVerifier({ ...settings, keys: issuerKeys(options) })
  const lastsMs = rememberMs ?? (introspection ? 0 : defaults.rememberMs)
  return cachedVerify(verify, { lastsMs, maxTokens: limits.maxTokensRemembered, now: settings.now })
}

/** The network to the authorization server; URLs that the operator configured may be private. */
function networkOf(origin: string, options: Settings): Network {
  return {
    fetch: platform.fetchBy(undefined),
    policy: {
      server: new URL(origin),
      trusted: new Set(Object.values(named(options)).map((url) => new URL(url).origin)),
    },
    limits: options.limits,
  }
}

/** The configured URLs, by option. */
function named({ issuer, jwksUri, introspection }: ProtectOptions): { readonly [option: string]: string } {
  return {
    issuer,
    ...(jwksUri !== undefined && { jwksUri }),
    ...(introspection?.endpoint !== undefined && { 'introspection.endpoint': introspection.endpoint }),
  }
}

/** An authenticator that is made on first use. */
function later(make: () => Authenticator): Authenticator {
  let made: Authenticator | undefined
  const gate = (): Authenticator => {
    made ??= make()
    return made
  }
  return {
    get documents() {
      return gate().documents
    },
    authenticate: async (request) => gate().authenticate(request),
  }
}
