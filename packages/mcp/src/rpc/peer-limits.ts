/** Limits of one connection. */
export interface PeerLimits {
  /** Incoming requests served at the same time; more are queued. @default 128 */
  readonly maxRequestsInFlightPerConnection?: number
  /** Incoming requests in the queue; more are refused. @default 1_000 */
  readonly maxRequestsQueuedPerConnection?: number
  /** Outgoing calls in flight at the same time; more are refused. @default 10_000 */
  readonly maxCallsInFlightPerConnection?: number
}

/** The default limits of a connection. */
export const peerLimits = {
  maxRequestsInFlightPerConnection: 128,
  maxRequestsQueuedPerConnection: 1_000,
  maxCallsInFlightPerConnection: 10_000,
} as const satisfies PeerLimits
