import { MemoryTaskStore } from '../../../stores/memory-task-store.ts'
import type { TaskStore } from '../../../stores/task-store.ts'
import { McpError } from '../../../wire/errors.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'

/** The limits of a server that runs tasks. */
export interface TaskLimits {
  /** Stored tasks of one caller, ended ones included; all unauthenticated callers share the limit. @default 1_000 */
  readonly maxTasksPerCaller?: number
  /** Tasks that run at the same time; new ones beyond that are refused, resumed ones wait. @default 10_000 */
  readonly maxTasksRunning?: number
  /** Time that a task is kept, at most. @default 86_400_000 (1 day) */
  readonly maxTtlMs?: number
  /** Tasks in one listen filter. @default 1_000 */
  readonly maxTasksPerListener?: number
}

/** Options of tasks on a server. */
export interface ServerTaskOptions {
  /** Store for tasks. @default in memory, so that none survives the process */
  readonly store?: TaskStore
  /** Time that a task is kept after its creation, unless its tool or its caller sets another. @default 3_600_000 */
  readonly ttlMs?: number
  /** The polling interval for clients. @default 1_000 */
  readonly pollMs?: number
  /** Sends input requests as client tasks where the client supports them. @default false */
  readonly asksAsTasks?: boolean
  readonly limits?: TaskLimits
}

/** The default limits. */
export const taskLimits = {
  maxTasksPerCaller: 1_000,
  maxTasksRunning: 10_000,
  maxTtlMs: 86_400_000,
  maxTasksPerListener: 1_000,
} as const satisfies TaskLimits

/** The options with their defaults. */
export interface TaskSettings {
  /** Replaced once, when the server becomes one of several processes. */
  store: TaskStore
  readonly ttlMs: number
  readonly pollMs: number
  readonly asksAsTasks: boolean
  readonly limits: Required<TaskLimits>
}

/** Checks the options and applies the defaults. */
export function taskSettings(options: ServerTaskOptions): TaskSettings {
  const { store = new MemoryTaskStore(), ttlMs = 3_600_000, pollMs = 1_000, asksAsTasks = false, limits } = options
  assertDuration(ttlMs, '"ttlMs" of tasks()')
  assertDuration(pollMs, '"pollMs" of tasks()')
  return { store, ttlMs, pollMs, asksAsTasks, limits: resolveKnownLimits(taskLimits, limits) }
}

/** Checks a duration. */
export function assertDuration(value: unknown, what: string): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return
  throw new McpError(
    'Misuse',
    `Cannot use ${what}: ${JSON.stringify(value)} is not a whole number of milliseconds above 0`,
  )
}
