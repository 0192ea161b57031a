/** Limits of what a handler asks and tells its caller, and of subscriptions. */
export interface InputLimits {
  /** Input rounds of one call. @default 10 */
  readonly maxInputRoundsPerCall: number
  /** Questions of one call. @default 100 */
  readonly maxQuestionsPerCall: number
  /** Milliseconds until a client must answer an input request. @default 3_600_000 */
  readonly maxInputStateAgeMs: number
  /** Progress reports of one call in a second; further ones are left out. @default 100 */
  readonly maxProgressPerSecondPerCall: number
  /** Log messages of one call in a second; further ones are left out. @default 100 */
  readonly maxLogMessagesPerSecondPerCall: number
  /** Resources that one connection may subscribe to. @default 1_000 */
  readonly maxSubscriptionsPerConnection: number
}

/** The default limits. */
export const inputLimits = {
  maxInputRoundsPerCall: 10,
  maxQuestionsPerCall: 100,
  maxInputStateAgeMs: 3_600_000,
  maxProgressPerSecondPerCall: 100,
  maxLogMessagesPerSecondPerCall: 100,
  maxSubscriptionsPerConnection: 1_000,
} as const satisfies InputLimits
