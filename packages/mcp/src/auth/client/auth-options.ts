import { platform } from '#auth'
import type { NetworkOptions } from '../../network/network-options.ts'
import type { SecretStore } from '../../stores/secret-store.ts'
import { McpError } from '../../wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from '../../wire/known-options.ts'
import { resolveKnownLimits } from '../../wire/resolve-limits.ts'
import { type NetworkLimits, networkLimits } from '../shared/network.ts'
import type { OutboundFetch } from '../shared/platform.ts'
import type { Scopes } from '../shared/scopes.ts'

/** Limits of signing in. */
export interface AuthLimits extends NetworkLimits {
  /** Refusals of one request before it fails. @default 3 */
  readonly maxAttempts: number
  /** Milliseconds before a failed attempt is repeated, at most. @default 30_000 */
  readonly maxPauseMs: number
  /** Milliseconds the user has to sign in. @default 300_000 */
  readonly maxSignInMs: number
}

/** Options of every grant. */
export interface AuthOptions {
  /** Store for tokens and registrations, for example a keychain. @default files for `signIn`, memory for the rest */
  readonly store?: SecretStore
  /** Tells accounts at the same server apart. @default '' */
  readonly account?: string
  /** Scopes to ask for, whatever the server asks for. @default what the server says it offers */
  readonly scopes?: readonly string[]
  /** The only issuer that is accepted. @default who the server names; credentials that are given stay with one */
  readonly issuer?: string
  /** The resource to ask tokens for. @default what the metadata of the server says, else its address */
  readonly resource?: string
  /**
   * Milliseconds before their expiry at which tokens are refreshed; at most a quarter of the time they are valid.
   * @default 0
   */
  readonly refreshAheadMs?: number
  /** Origins that are allowed although they are private, not encrypted, or not the server's own. @default none */
  readonly trusted?: readonly string[]
  /** Binds tokens to a key; `auto` does so when the server wants it. @default 'auto' */
  readonly dpop?: boolean | 'auto'
  /**
   * Sends requests to authorization servers, for example through a proxy; addresses are then not checked after DNS
   * lookup.
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /**
   * The proxy and the certificates to trust, on Node; a proxy looks names up itself, so their addresses are not checked.
   * @default those of the environment
   */
  readonly network?: NetworkOptions
  /** Limits of signing in. */
  readonly limits?: Partial<AuthLimits>
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The options with their defaults. */
export interface AuthSettings {
  readonly store: SecretStore
  readonly account: string
  readonly scopes: Scopes | undefined
  readonly issuer: string | undefined
  readonly resource: string | undefined
  readonly refreshAheadMs: number
  readonly trusted: ReadonlySet<string>
  readonly dpop: boolean | 'auto'
  readonly outboundFetch: OutboundFetch
  readonly limits: AuthLimits
  now(): number
}

/** The default limits of signing in. */
export const authLimits = {
  ...networkLimits,
  maxAttempts: 3,
  maxPauseMs: 30_000,
  maxSignInMs: 300_000,
} as const satisfies AuthLimits

const knownOptions = {
  store: true,
  account: true,
  scopes: true,
  issuer: true,
  resource: true,
  refreshAheadMs: true,
  trusted: true,
  dpop: true,
  fetch: true,
  network: true,
  limits: true,
  now: true,
} as const satisfies KnownOptions<AuthOptions>

/** Additions of one grant to the options of all. */
export interface GrantDefaults {
  /** Default store for tokens. */
  readonly store: () => SecretStore
  /** The names of its own options. */
  readonly known: object
}

/** Refuses unknown options and applies the defaults. */
export function authSettings(options: AuthOptions, { store, known }: GrantDefaults): AuthSettings {
  refuseUnknownOptions('Cannot authorize', options, { ...knownOptions, ...known })
  const { account = '', scopes, issuer, trusted = [], dpop = 'auto', fetch, now = Date.now } = options
  const { resource, refreshAheadMs = 0 } = options
  return {
    store: options.store ?? store(),
    account,
    scopes,
    issuer: issuer && checkedIssuer(issuer),
    resource: resource && checkedResource(resource),
    refreshAheadMs,
    trusted: new Set(trusted.map((origin) => addressIn('trusted', origin).origin)),
    dpop,
    outboundFetch: fetch ? sentBy(fetch) : platform.fetchBy(options.network),
    limits: resolveKnownLimits(authLimits, options.limits),
    now,
  }
}

/** A URL option, checked without a request. */
export function addressIn(option: string, address: string): URL {
  if (URL.canParse(address)) return new URL(address)
  throw new McpError('Misuse', `Cannot authorize: give "${option}" as a URL, not as ${JSON.stringify(address)}`)
}

/** Unchanged, because issuers are compared as strings. */
function checkedIssuer(issuer: string): string {
  addressIn('issuer', issuer)
  return issuer
}

/** Unchanged, because servers compare audiences as strings. */
function checkedResource(resource: string): string {
  addressIn('resource', resource)
  return resource
}

function sentBy(fetch: NonNullable<AuthOptions['fetch']>): OutboundFetch {
  return ({ url, method, headers, body, signal }) =>
    fetch(url.href, { method, headers, body: body ?? null, signal, redirect: 'manual' })
}
