import { type UnreadLimits, unreadLimits } from '../../backpressure.ts'

/** Limits of an endpoint; all unauthenticated clients count as one caller. */
export interface HttpLimits extends UnreadLimits {
  /** Bytes of one message, which is one request's body; a larger one is 413. @default 4_194_304 */
  readonly maxMessageBytes: number
  /** Bytes of all arriving bodies; beyond that, requests get 503. @default 134_217_728 */
  readonly maxArrivingBytes: number
  /** Requests in flight; more get 503. @default 2_000 */
  readonly maxRequestsInFlight: number
  /** Requests in flight of one caller. @default 256 */
  readonly maxRequestsInFlightPerCaller: number
  /** Listen streams at the same time; more get 503. @default 5_000 */
  readonly maxListeners: number
  /** Listen streams of one caller. @default 16 */
  readonly maxListenersPerCaller: number
  /** Sessions at the same time; idle ones make room, more get 503. @default 10_000 */
  readonly maxSessions: number
  /** Sessions of one caller. @default 256 */
  readonly maxSessionsPerCaller: number
  /** HTTP+SSE streams at the same time; more get 503. @default 1_000 */
  readonly maxSseStreams: number
  /** HTTP+SSE streams of one caller. @default 16 */
  readonly maxSseStreamsPerCaller: number
}

/** The default limits. */
export const httpLimits = {
  maxMessageBytes: 4_194_304,
  maxArrivingBytes: 134_217_728,
  maxRequestsInFlight: 2_000,
  maxRequestsInFlightPerCaller: 256,
  maxListeners: 5_000,
  maxListenersPerCaller: 16,
  maxSessions: 10_000,
  maxSessionsPerCaller: 256,
  maxSseStreams: 1_000,
  maxSseStreamsPerCaller: 16,
  ...unreadLimits,
} as const satisfies HttpLimits

/** Limits of an HTTP server. */
export interface HttpServerLimits extends HttpLimits {
  /** Connections at the same time; more get 503. @default 10_000 */
  readonly maxConnections: number
  /** WebSockets at the same time; more get 503. @default 1_000 */
  readonly maxWebSockets: number
  /**
   * Milliseconds in which a WebSocket must answer a ping, which is sent every `keepAliveMs`; then it is closed.
   * @default 30_000
   */
  readonly maxPongMs: number
}

/** The default limits. */
export const httpServerLimits = {
  ...httpLimits,
  maxConnections: 10_000,
  maxWebSockets: 1_000,
  maxPongMs: 30_000,
} as const satisfies HttpServerLimits
