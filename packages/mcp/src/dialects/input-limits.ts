/** What one call may ask of its caller, and one connection watch. */
export interface InputLimits {
  /** How often one call may end with questions before it is refused. @default 10 */
  readonly maxInputRoundsPerCall: number
  /** How many questions one call may ask. @default 100 */
  readonly maxQuestionsPerCall: number
  /** How long a client may take to come back with answers, in milliseconds. @default 3_600_000 */
  readonly maxInputStateAgeMs: number
  /** How many resources one connection may watch. @default 1_000 */
  readonly maxSubscriptionsPerConnection: number
}

/** The limits where none are given. */
export const inputLimits = {
  maxInputRoundsPerCall: 10,
  maxQuestionsPerCall: 100,
  maxInputStateAgeMs: 3_600_000,
  maxSubscriptionsPerConnection: 1_000,
} as const satisfies InputLimits
