/** Limits of one plan. */
export interface PipeLimits {
  /** Steps of a plan, those inside others included. @default 100 */
  readonly maxSteps?: number
  /** Depth of steps inside steps. @default 8 */
  readonly maxNesting?: number
  /** Bytes of a plan, written as JSON. @default 256 KiB */
  readonly maxPlanBytes?: number
  /** Items of one list that a step works through. @default 1_000 */
  readonly maxItems?: number
  /** Calls of one run. @default 5_000 */
  readonly maxCalls?: number
  /** Calls of one run at the same time. @default 8 */
  readonly maxParallel?: number
  /** Bytes of results that one run keeps at the same time. @default 32 MiB */
  readonly maxKeptBytes?: number
  /** Milliseconds that one run may take, with the time that questions wait for a person. @default 1_800_000 */
  readonly maxTotalMs?: number
  /** Runs of one principal at the same time. @default 4 */
  readonly maxRunsPerPrincipal?: number
  /** Runs that are remembered for reports. @default 200 */
  readonly maxRemembered?: number
}

/** Default limits. */
export const pipeDefaults = {
  maxSteps: 100,
  maxNesting: 8,
  maxPlanBytes: 256 * 1024,
  maxItems: 1_000,
  maxCalls: 5_000,
  maxParallel: 8,
  maxKeptBytes: 32 * 1024 ** 2,
  maxTotalMs: 1_800_000,
  maxRunsPerPrincipal: 4,
  maxRemembered: 200,
} as const satisfies PipeLimits
