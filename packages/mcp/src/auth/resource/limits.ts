import { type NetworkLimits, networkLimits } from '../shared/network.ts'

/** What a protected server remembers, and what one request to its authorization server may take. */
export interface ProtectLimits extends NetworkLimits {
  /** Good tokens that are remembered; the oldest give way. @default 1_000 */
  readonly maxTokensRemembered: number
  /** Proofs of possession that are remembered; while there are more, nobody is let in. @default 100_000 */
  readonly maxProofsRemembered: number
  /** Questions to the issuer about tokens at the same time; while there are more, nobody is let in. @default 100 */
  readonly maxIntrospectionsInFlight: number
}

/** The limits where none are given. */
export const protectLimits = {
  ...networkLimits,
  maxTokensRemembered: 1_000,
  maxProofsRemembered: 100_000,
  maxIntrospectionsInFlight: 100,
} as const satisfies ProtectLimits
