import { type PeerLimits, peerLimits } from '../rpc/peer-limits.ts'

/** Limits of a client. */
export interface ClientLimits extends Required<PeerLimits> {
  /** Pages of one list. @default 100 */
  readonly maxPagesPerList: number
  /** Items of one list. @default 10_000 */
  readonly maxItemsPerList: number
  /** Rounds of input requests in one call. @default 10 */
  readonly maxInputRoundsPerCall: number
  /** Cached results. @default 1_000 */
  readonly maxCacheEntries: number
  /** Bytes of all cached results; the least recently used are dropped first. @default 67_108_864 */
  readonly maxCacheBytes: number
  /** Milliseconds for which a result is cached, at most. @default 86_400_000 */
  readonly maxCacheAgeMs: number
  /** Tools whose definitions are remembered. @default 10_000 */
  readonly maxToolsRemembered: number
  /** Bytes of all remembered tool definitions; the least recently used are dropped first. @default 67_108_864 */
  readonly maxToolBytesRemembered: number
}

/** The default limits of a client. */
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
