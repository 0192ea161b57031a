import type { OutboundFetch } from './platform.ts'
import type { UrlPolicy } from './url-policy.ts'

export interface NetworkLimits {
  /** Bytes of one answer. @default 1_048_576 */
  readonly answerBytes: number
  /** Milliseconds for one answer, redirects included. @default 10_000 */
  readonly answerMs: number
  /** Redirects on the way to one document. @default 3 */
  readonly redirects: number
}

/** The way to authorization servers: what carries requests, and the rules it goes by. */
export interface Network {
  readonly fetch: OutboundFetch
  readonly policy: UrlPolicy
  readonly limits: NetworkLimits
}

export const networkDefaults = {
  answerBytes: 1_048_576,
  answerMs: 10_000,
  redirects: 3,
} as const satisfies NetworkLimits
