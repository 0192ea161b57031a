import { type NetworkLimits, networkLimits } from '../shared/network.ts'

/** Limits of a protected server. */
export interface ProtectLimits extends NetworkLimits {
  /** Verified tokens that are cached; the oldest are dropped first. @default 1_000 */
  readonly maxTokensRemembered: number
  /** DPoP proofs that are remembered; beyond that, requests are refused. @default 100_000 */
  readonly maxProofsRemembered: number
  /** Introspection requests at the same time; beyond that, requests are refused. @default 100 */
  readonly maxIntrospectionsInFlight: number
}

/** The default limits. */
export const protectLimits = {
  ...networkLimits,
  maxTokensRemembered: 1_000,
  maxProofsRemembered: 100_000,
  maxIntrospectionsInFlight: 100,
} as const satisfies ProtectLimits
