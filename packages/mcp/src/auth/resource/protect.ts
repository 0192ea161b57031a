import { platform } from '#auth'
import { McpError } from '../../wire/errors.ts'
import { refuseUnknownLimits, resolveLimits } from '../../wire/resolve-limits.ts'
import type { Network } from '../shared/network.ts'
import type { Authenticator } from './authenticator.ts'
import type { Expected } from './claims.ts'
import { type DpopOptions, dpopDefaults, Proofs } from './dpop/proofs.ts'
import { type IntrospectionOptions, introspector } from './introspection.ts'
import { issuerKeys } from './issuer-keys.ts'
import { asymmetricAlgorithms, jwtVerifier, type Verify } from './jwt.ts'
import { type ProtectLimits, protectLimits } from './limits.ts'
import { ProtectedResources, type SsePaths } from './protected-resources.ts'
import { TokenAuthenticator } from './token-authenticator.ts'
import { cachedVerify } from './verified-token-cache.ts'

/** Whose tokens let callers in, and what is asked of a token. */
export interface ProtectOptions {
  /** The authorization server whose tokens are taken. */
  readonly issuer: string
  /** The address of this server as its clients know it, or a function that tells it once it is known. */
  readonly resource: string | (() => string)
  /** Where the oldest transport is served, which is a resource of its own to its clients. @default nowhere */
  readonly sse?: SsePaths
  /** What a token has to be meant for. @default the address it is shown at, exactly: that of the server, or of its streams */
  readonly audience?: string | readonly string[]
  /** Where the keys of the issuer are. @default where its metadata says */
  readonly jwksUri?: string
  /** Asks the issuer about every token, for those that cannot be read. @default tokens are read */
  readonly introspection?: IntrospectionOptions
  /** How tokens may be signed. @default all algorithms in which whoever can verify a token cannot make one */
  readonly algorithms?: readonly string[]
  /** What every request needs; what single tools need stands in their definitions. @default nothing */
  readonly scopes?: readonly string[]
  /** The scopes that come with a broader one. @default none */
  readonly implied?: { readonly [scope: string]: readonly string[] }
  /** Tokens that only the one they were issued to can use; they are always taken. */
  readonly dpop?: DpopOptions
  /** What people call this server. */
  readonly name?: string
  /** Milliseconds for which a good token is not checked again. @default 60_000, or 0 when the issuer is asked */
  readonly rememberMs?: number
  /** How far clocks may differ, in milliseconds. @default 5_000 */
  readonly leewayMs?: number
  /** What is remembered, and what one request to the authorization server may take. */
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

/** Lets only those in who show a token that one authorization server issued for this server. */
export function protect(options: ProtectOptions): Authenticator {
  const { resource } = options
  for (const [name, url] of Object.entries(named(options))) {
    if (URL.canParse(url)) continue
    throw new McpError('Misuse', `Cannot protect the server: give "${name}" as a URL, not as ${JSON.stringify(url)}`)
  }
  refuseUnknownLimits(options.limits, protectLimits)
  const settings = { ...options, limits: resolveLimits(protectLimits, options.limits) }
  return typeof resource === 'string' ? gateAt(resource, settings) : later(() => gateAt(resource(), settings))
}

/** The options with every limit. */
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

/** The way to the authorization server; what the operator of this server named may be anywhere. */
function networkOf(origin: string, options: Settings): Network {
  return {
    fetch: platform.fetch,
    policy: {
      server: new URL(origin),
      trusted: new Set(Object.values(named(options)).map((url) => new URL(url).origin)),
    },
    limits: options.limits,
  }
}

/** The addresses that the operator of this server gave, by the option. */
function named({ issuer, jwksUri, introspection }: ProtectOptions): { readonly [option: string]: string } {
  return {
    issuer,
    ...(jwksUri !== undefined && { jwksUri }),
    ...(introspection?.endpoint !== undefined && { 'introspection.endpoint': introspection.endpoint }),
  }
}

/** A gate that is made when it is first needed. */
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
