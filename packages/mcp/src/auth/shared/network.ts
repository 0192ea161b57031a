import type { OutboundFetch } from './platform.ts'
import type { UrlPolicy } from './url-policy.ts'

/** Limits of one request to an authorization server. */
export interface NetworkLimits {
  /** Bytes of one response. @default 1_048_576 */
  readonly maxResponseBytes: number
  /** Milliseconds for one response, redirects included. @default 10_000 */
  readonly maxResponseMs: number
  /** Redirects of one request. @default 3 */
  readonly maxRedirects: number
}

/** The way requests to authorization servers are sent: fetch, URL policy and limits. */
export interface Network {
  readonly fetch: OutboundFetch
  readonly policy: UrlPolicy
  readonly limits: NetworkLimits
}

/** The default limits of a request to an authorization server. */
export const networkLimits = {
  maxResponseBytes: 1_048_576,
  maxResponseMs: 10_000,
  maxRedirects: 3,
} as const satisfies NetworkLimits
