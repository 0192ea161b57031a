import { platform } from '#auth'
import type { SecretStore } from '../../stores/secret-store.ts'
import { McpError } from '../../wire/errors.ts'
import { refuseUnknownLimits, resolveLimits } from '../../wire/resolve-limits.ts'
import { type NetworkLimits, networkLimits } from '../shared/network.ts'
import type { OutboundFetch } from '../shared/platform.ts'
import type { Scopes } from '../shared/scopes.ts'

/** How often and how long signing in is tried. */
export interface AuthLimits extends NetworkLimits {
  /** How often one request may be refused before that is an error. @default 3 */
  readonly maxAttempts: number
  /** Milliseconds for which what failed is not tried again, at most. @default 30_000 */
  readonly maxPauseMs: number
  /** Milliseconds the user has to sign in. @default 300_000 */
  readonly maxSignInMs: number
}

/** What all ways to authorize have in common. */
export interface AuthOptions {
  /** Where tokens and registrations are kept; a keychain fits. @default files for `signIn`, memory for the rest */
  readonly store?: SecretStore
  /** Tells accounts at the same server apart. @default '' */
  readonly account?: string
  /** Scopes to ask for, whatever the server asks for. @default what the server says it offers */
  readonly scopes?: readonly string[]
  /** The only issuer that may authorize. @default who the server names; credentials that are given stay with one */
  readonly issuer?: string
  /** Origins that may be asked although they are private, not encrypted, or not that of the server. @default none */
  readonly trusted?: readonly string[]
  /** Whether tokens are bound to a key; `auto` does so when the server wants it. @default 'auto' */
  readonly dpop?: boolean | 'auto'
  /** Carries requests to authorization servers, as through a proxy; addresses are then not checked after lookup. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How much and how often is tried. */
  readonly limits?: Partial<AuthLimits>
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The options with nothing left open. */
export interface AuthSettings {
  readonly store: SecretStore
  readonly account: string
  readonly scopes: Scopes | undefined
  readonly issuer: string | undefined
  readonly trusted: ReadonlySet<string>
  readonly dpop: boolean | 'auto'
  readonly outboundFetch: OutboundFetch
  readonly limits: AuthLimits
  now(): number
}

/** The limits of signing in where none are given. */
export const authLimits = {
  ...networkLimits,
  maxAttempts: 3,
  maxPauseMs: 30_000,
  maxSignInMs: 300_000,
} as const satisfies AuthLimits

/** Fills in what was not said. */
export function authSettings(options: AuthOptions, store: () => SecretStore): AuthSettings {
  const { account = '', scopes, issuer, trusted = [], dpop = 'auto', fetch, now = Date.now } = options
  refuseUnknownLimits(options.limits, authLimits)
  return {
    store: options.store ?? store(),
    account,
    scopes,
    issuer: issuer && checkedIssuer(issuer),
    trusted: new Set(trusted.map((origin) => addressIn('trusted', origin).origin)),
    dpop,
    outboundFetch: fetch ? sentBy(fetch) : platform.fetch,
    limits: resolveLimits(authLimits, options.limits),
    now,
  }
}

/** An address that the user gave, checked as far as that can be done without going there. */
export function addressIn(option: string, address: string): URL {
  if (URL.canParse(address)) return new URL(address)
  throw new McpError('Misuse', `Cannot authorize: give "${option}" as a URL, not as ${JSON.stringify(address)}`)
}

/** As it is written, because issuers are compared that way. */
function checkedIssuer(issuer: string): string {
  addressIn('issuer', issuer)
  return issuer
}

function sentBy(fetch: NonNullable<AuthOptions['fetch']>): OutboundFetch {
  return ({ url, method, headers, body, signal }) =>
    fetch(url.href, { method, headers, body: body ?? null, signal, redirect: 'manual' })
}
