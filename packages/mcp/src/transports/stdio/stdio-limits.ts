import { type ReadLimits, readLimits } from '../../wire/read-messages.ts'
import { maxMessageBytes } from '../message-limit.ts'

/** Limits of a channel over stdio. */
export interface StdioLimits extends ReadLimits {
  /** Bytes of one message, which is one line; a longer one is refused. @default 16_777_216 */
  readonly maxMessageBytes: number
  /**
   * Characters that may wait while the other side does not read. Beyond that a server reads no more requests, responses wait,
   * progress and log messages are dropped, and other messages are refused. @default 67_108_864
   */
  readonly maxQueuedChars: number
}

/** The default limits. */
export const stdioLimits = { ...readLimits, maxMessageBytes, maxQueuedChars: 67_108_864 } as const satisfies StdioLimits

/** Limits of a channel to a program. */
export interface SpawnLimits extends StdioLimits {
  /** Characters that are kept of what the program wrote to stderr last. @default 65_536 */
  readonly maxStderrChars: number
}

/** The default limits. */
export const spawnLimits = { ...stdioLimits, maxStderrChars: 65_536 } as const satisfies SpawnLimits
