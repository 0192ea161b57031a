/** Limits of one call and of all calls of a wrapped program. */
export interface WrapLimits {
  /** Bytes of one stream that a result carries itself. @default 65_536 */
  readonly maxInlineBytes: number
  /** Bytes of one stream that are kept; what comes after is counted and thrown away. @default 67_108_864 */
  readonly maxOutputBytes: number
  /** Bytes of all outputs that are kept for reading; the oldest go first. @default 268_435_456 */
  readonly maxKeptBytes: number
  /** Outputs that are kept for reading; the oldest go first. @default 64 */
  readonly maxKeptOutputs: number
  /** Programs that run at the same time; another call is refused. @default 16 */
  readonly maxRuns: number
  /** Programs that wait in a terminal for an answer; another question ends its program. @default 8 */
  readonly maxWaitingRuns: number
  /** Milliseconds that a program waits for an answer. @default 600_000 */
  readonly maxAnswerMs: number
}

/** Default limits. */
export const wrapLimits: WrapLimits = {
  maxInlineBytes: 65_536,
  maxOutputBytes: 67_108_864,
  maxKeptBytes: 268_435_456,
  maxKeptOutputs: 64,
  maxRuns: 16,
  maxWaitingRuns: 8,
  maxAnswerMs: 600_000,
}
