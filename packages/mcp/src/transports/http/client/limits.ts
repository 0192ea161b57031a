import { maxMessageBytes } from '../../message-limit.ts'

/** What a client takes of a server over HTTP, and what it sends. */
export interface HttpClientLimits {
  /** Bytes of one message or event of the server; a larger one is `TooLarge`. @default 16_777_216 */
  readonly maxMessageBytes: number
  /** Messages on their way at the same time, requests until they are answered; more are `Busy`. @default 1_000 */
  readonly maxRequestsInFlight: number
}

/** The limits where none are given. */
export const httpClientLimits = { maxMessageBytes, maxRequestsInFlight: 1_000 } as const satisfies HttpClientLimits

/** What a client takes of a server over a WebSocket, and what may wait. */
export interface WebSocketLimits {
  /** UTF-16 code units of one message of the server; a larger one is `TooLarge`. @default 16_777_216 */
  readonly maxMessageBytes: number
  /** Characters that may wait to be sent; beyond that, sending is refused. @default 67_108_864 */
  readonly maxQueuedChars: number
}

/** The limits where none are given. */
export const webSocketLimits = { maxMessageBytes, maxQueuedChars: 67_108_864 } as const satisfies WebSocketLimits
