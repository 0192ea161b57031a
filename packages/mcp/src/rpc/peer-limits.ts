/** What one connection may have under way. */
export interface PeerLimits {
  /** Requests of the other side worked on at the same time; more of them wait. @default 128 */
  readonly maxRequestsInFlightPerConnection?: number
  /** Requests of the other side that may wait; more are refused. @default 1_000 */
  readonly maxRequestsQueuedPerConnection?: number
  /** Calls to the other side that may be open at the same time; more are refused. @default 10_000 */
  readonly maxCallsInFlightPerConnection?: number
}

/** The limits of a connection where none are given. */
export const peerLimits = {
  maxRequestsInFlightPerConnection: 128,
  maxRequestsQueuedPerConnection: 1_000,
  maxCallsInFlightPerConnection: 10_000,
} as const satisfies PeerLimits
