import { refuseUnknownLimits, resolveLimits } from '../../wire/resolve-limits.ts'

/** Limits of the contract on a server. */
export interface ContractLimits {
  /** Calls that wait for their turn, of all tools together. @default 1_000 */
  readonly maxCallsWaiting?: number
  /** Milliseconds for which the outcome of a call with a key is kept. @default 86_400_000 (1 day) */
  readonly maxOutcomeAgeMs?: number
  /** Milliseconds for which the plan of a dry run holds. @default 900_000 (15 minutes) */
  readonly maxPlanAgeMs?: number
}

/** The default limits. */
export const contractLimits = {
  maxCallsWaiting: 1_000,
  maxOutcomeAgeMs: 86_400_000,
  maxPlanAgeMs: 900_000,
} as const satisfies ContractLimits

/** Completes limits; throws for those that make no sense. */
export function resolveContractLimits(limits: ContractLimits | undefined): Required<ContractLimits> {
  refuseUnknownLimits(limits, contractLimits)
  return resolveLimits(contractLimits, limits)
}
