import { maxMessageBytes } from '../../message-limit.ts'

/** Limits of a client over HTTP. */
export interface HttpClientLimits {
  /** Bytes of one message or event of the server; a larger one is `TooLarge`. @default 16_777_216 */
  readonly maxMessageBytes: number
  /** Messages in flight at the same time, requests until they are answered; more are `Busy`. @default 1_000 */
  readonly maxRequestsInFlight: number
}

/** The default limits. */
export const httpClientLimits = { maxMessageBytes, maxRequestsInFlight: 1_000 } as const satisfies HttpClientLimits

/** Limits of a client over a WebSocket. */
export interface WebSocketLimits {
  /** UTF-16 code units of one message of the server; a larger one is `TooLarge`. @default 16_777_216 */
  readonly maxMessageBytes: number
  /** Characters that may wait to be sent; more are refused. @default 67_108_864 */
  readonly maxQueuedChars: number
}

/** The default limits. */
export const webSocketLimits = { maxMessageBytes, maxQueuedChars: 67_108_864 } as const satisfies WebSocketLimits
