/** Limits of the contract on a server. */
export interface ContractLimits {
  /** Calls that wait for their turn, of all tools together. @default 1_000 */
  readonly maxCallsWaiting?: number
  /** Milliseconds for which the outcome of a call with a key is kept. @default 86_400_000 (1 day) */
  readonly maxOutcomeAgeMs?: number
  /** Milliseconds for which the plan of a dry run holds. @default 900_000 (15 minutes) */
  readonly maxPlanAgeMs?: number
  /** With `spill`: bytes of JSON of a result; of a larger one the head, the tail and a link are answered. @default 262_144 (256 KiB) */
  readonly maxResultBytes?: number
  /** Bytes of large results that are kept, of all callers together. @default 1_073_741_824 (1 GiB) */
  readonly maxSpilledBytes?: number
  /** Large results that are kept, of all callers together. @default 1_000 */
  readonly maxSpills?: number
  /** Large results that are kept for one caller; all unauthenticated callers share the limit. @default 100 */
  readonly maxSpillsPerCaller?: number
  /** Milliseconds for which a large result is kept. @default 3_600_000 (1 hour) */
  readonly maxSpillAgeMs?: number
  /** Bytes of a large result that one read gives. @default 1_048_576 (1 MiB) */
  readonly maxReadBytes?: number
}

/** The default limits. */
export const contractLimits = {
  maxCallsWaiting: 1_000,
  maxOutcomeAgeMs: 86_400_000,
  maxPlanAgeMs: 900_000,
  maxResultBytes: 262_144,
  maxSpilledBytes: 1_073_741_824,
  maxSpills: 1_000,
  maxSpillsPerCaller: 100,
  maxSpillAgeMs: 3_600_000,
  maxReadBytes: 1_048_576,
} as const satisfies ContractLimits
