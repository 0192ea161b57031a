import { MemoryTaskStore } from '../../../stores/memory-task-store.ts'
import type { TaskStore } from '../../../stores/task-store.ts'
import { McpError } from '../../../wire/errors.ts'
import { refuseUnknownLimits, resolveLimits } from '../../../wire/resolve-limits.ts'

/** The limits of a server that runs tasks. */
export interface TaskLimits {
  /** Tasks that are kept for one caller, those that have ended included; all who are nobody in particular share. @default 1_000 */
  readonly maxTasksPerCaller?: number
  /** Tasks that run at the same time; further ones are refused, and those left by a process that ended wait. @default 10_000 */
  readonly maxTasksRunning?: number
  /** How long a task is kept at most, whatever a caller wants. @default 86_400_000 (1 day) */
  readonly maxTtlMs?: number
  /** Tasks that one stream reports on. @default 1_000 */
  readonly maxTasksPerListener?: number
}

/** How a server runs tasks. */
export interface ServerTaskOptions {
  /** Where tasks are kept. @default in memory, so that none survives the process */
  readonly store?: TaskStore
  /** How long a task is kept, counted from its creation, where neither its tool nor its caller says otherwise. @default 3_600_000 */
  readonly ttlMs?: number
  /** How often clients should ask after a task. @default 1_000 */
  readonly pollMs?: number
  /** Whether clients that can are asked by tasks of their own, so that an answer may take its time. @default false */
  readonly asksAsTasks?: boolean
  readonly limits?: TaskLimits
}

/** The limits where none are given. */
export const taskLimits = {
  maxTasksPerCaller: 1_000,
  maxTasksRunning: 10_000,
  maxTtlMs: 86_400_000,
  maxTasksPerListener: 1_000,
} as const satisfies TaskLimits

/** Options with everything that was left out. */
export interface TaskSettings {
  readonly store: TaskStore
  readonly ttlMs: number
  readonly pollMs: number
  readonly asksAsTasks: boolean
  readonly limits: Required<TaskLimits>
}

/** Completes options; throws for those that make no sense. */
export function taskSettings(options: ServerTaskOptions): TaskSettings {
  const { store = new MemoryTaskStore(), ttlMs = 3_600_000, pollMs = 1_000, asksAsTasks = false, limits } = options
  refuseUnknownLimits(limits, taskLimits)
  assertDuration(ttlMs, '"ttlMs" of tasks()')
  assertDuration(pollMs, '"pollMs" of tasks()')
  return { store, ttlMs, pollMs, asksAsTasks, limits: resolveLimits(taskLimits, limits) }
}

/** Refuses what is no time to wait. */
export function assertDuration(value: unknown, what: string): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return
  throw new McpError(
    'Misuse',
    `Cannot use ${what}: ${JSON.stringify(value)} is no whole number of milliseconds above 0`,
  )
}
