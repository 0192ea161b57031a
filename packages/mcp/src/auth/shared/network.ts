import type { OutboundFetch } from './platform.ts'
import type { UrlPolicy } from './url-policy.ts'

/** What one request to an authorization server may take. */
export interface NetworkLimits {
  /** Bytes of one answer. @default 1_048_576 */
  readonly maxResponseBytes: number
  /** Milliseconds for one answer, redirects included. @default 10_000 */
  readonly maxResponseMs: number
  /** Redirects on the way to one document. @default 3 */
  readonly maxRedirects: number
}

/** The way to authorization servers: what carries requests, and the rules it goes by. */
export interface Network {
  readonly fetch: OutboundFetch
  readonly policy: UrlPolicy
  readonly limits: NetworkLimits
}

/** The limits of a request to an authorization server where none are given. */
export const networkLimits = {
  maxResponseBytes: 1_048_576,
  maxResponseMs: 10_000,
  maxRedirects: 3,
} as const satisfies NetworkLimits
