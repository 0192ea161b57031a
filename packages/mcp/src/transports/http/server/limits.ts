import { type UnreadLimits, unreadLimits } from '../../backpressure.ts'

/** What an address takes from its callers; a caller is whoever a token names, and all who show none are one. */
export interface HttpLimits extends UnreadLimits {
  /** Bytes of one message, which is one request's body; a larger one is 413. @default 4_194_304 */
  readonly maxMessageBytes: number
  /** Bytes of all bodies that are still arriving; more are told to come back. @default 134_217_728 */
  readonly maxArrivingBytes: number
  /** Requests served at the same time; more are told to come back. @default 2_000 */
  readonly maxRequestsInFlight: number
  /** Requests of one caller served at the same time. @default 256 */
  readonly maxRequestsInFlightPerCaller: number
  /** Clients that listen for changes at the same time; more are told to come back. @default 5_000 */
  readonly maxListeners: number
  /** Clients of one caller that listen at the same time. @default 16 */
  readonly maxListenersPerCaller: number
  /** Sessions at the same time; idle ones make room, then more are told to come back. @default 10_000 */
  readonly maxSessions: number
  /** Sessions of one caller at the same time. @default 256 */
  readonly maxSessionsPerCaller: number
  /** Streams of the oldest transport at the same time; more are told to come back. @default 1_000 */
  readonly maxSseStreams: number
  /** Streams of the oldest transport of one caller at the same time. @default 16 */
  readonly maxSseStreamsPerCaller: number
}

/** The limits where none are given. */
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

/** What a server that listens takes besides. */
export interface HttpServerLimits extends HttpLimits {
  /** Connections at the same time; more are told to come back. @default 10_000 */
  readonly maxConnections: number
  /** WebSocket connections at the same time; more are told to come back. @default 1_000 */
  readonly maxWebSockets: number
  /** Milliseconds in which a WebSocket must answer a ping, which it gets every `keepAliveMs`; then it is gone. @default 30_000 */
  readonly maxPongMs: number
}

/** The limits where none are given. */
export const httpServerLimits = {
  ...httpLimits,
  maxConnections: 10_000,
  maxWebSockets: 1_000,
  maxPongMs: 30_000,
} as const satisfies HttpServerLimits
