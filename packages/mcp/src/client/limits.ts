import { type PeerLimits, peerLimits } from '../rpc/peer-limits.ts'

/** How much of a server is taken. */
export interface ClientLimits extends Required<PeerLimits> {
  /** Pages of one list. @default 100 */
  readonly maxPagesPerList: number
  /** Items of one list. @default 10_000 */
  readonly maxItemsPerList: number
  /** How often one call may be asked for input. @default 10 */
  readonly maxInputRoundsPerCall: number
  /** Results kept for reuse. @default 1_000 */
  readonly maxCacheEntries: number
  /** Bytes that the results kept for reuse take up; those not used for longest go first. @default 67_108_864 */
  readonly maxCacheBytes: number
  /** Milliseconds a result is kept at most, whatever the server says. @default 86_400_000 */
  readonly maxCacheAgeMs: number
  /** Tools of which it is remembered what a call of them needs. @default 10_000 */
  readonly maxToolsRemembered: number
  /** Bytes that what is remembered of tools takes up; those not used for longest go first. @default 67_108_864 */
  readonly maxToolBytesRemembered: number
}

/** The limits of a client where none are given. */
export const clientLimits = {
  maxPagesPerList: 100,
  maxItemsPerList: 10_000,
  maxInputRoundsPerCall: 10,
  maxCacheEntries: 1_000,
  maxCacheBytes: 67_108_864,
  maxCacheAgeMs: 86_400_000,
  maxToolsRemembered: 10_000,
  maxToolBytesRemembered: 67_108_864,
  ...peerLimits,
} as const satisfies ClientLimits
