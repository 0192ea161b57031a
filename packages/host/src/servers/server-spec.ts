import type { ServerKey } from '../act/server-key.ts'
import type { BreakerOptions } from './breaker.ts'
import type { Launch } from './launch.ts'

/** A server that cannot be started before a person has done something. */
export interface Unresolved {
  readonly kind: 'unresolved'
  /** The missing thing, in words. */
  readonly needs: string
  /** Remedy for a person; callers are not told, because they could do it themselves. */
  readonly hint?: string
  /** Its entry as it is written, with references in place of what they stand for. @default nothing is known of it */
  readonly written?: WrittenLaunch
}

/** A program or an address as its entry says it. */
export interface WrittenLaunch {
  readonly isRemote: boolean
  /** The command or the address. */
  readonly command: string
  /** The names of the variables or headers. */
  readonly names: readonly string[]
}

/** Describes to a person what a server waits for, and the remedy. */
export function missingInWords({ needs, hint }: Unresolved): string {
  return hint === undefined ? needs : `${needs}; ${hint}`
}

/** Settings to run one server. */
export interface ServerSpec {
  /** Its key: the configured name, with a mark of the project where it is one of a project. */
  readonly name: ServerKey
  /** The project whose server it is; missing for servers of the person. */
  readonly project?: string
  /** Place of its configuration, as file and line, for people. */
  readonly source?: string
  /** Program or address, or what is missing for it. */
  readonly launch: Launch | Unresolved
  /** The only revision of the protocol that is spoken with it. @default the newest that both have */
  readonly revision?: string
  /** True if each caller has a copy of it for itself. @default false */
  readonly perCaller?: boolean
  /** True if it runs from the start instead of from the first call. @default false */
  readonly eager?: boolean
  /** Milliseconds a start may take. @default 30_000 */
  readonly startMs?: number
  /** Milliseconds a call may take, questions to people included; 0 for no limit. @default 0 */
  readonly callMs?: number
  /** Milliseconds without a call after which a program is ended until the next one; 0 for never. @default 600_000 */
  readonly idleMs?: number
  /** Milliseconds between checks whether it still answers; 0 for never. @default 30_000 */
  readonly healthMs?: number
  /** Milliseconds it may take to answer such a check. @default 10_000 */
  readonly pingMs?: number
  /** Calls at the same time. @default 64 */
  readonly maxCalls?: number
  /** Calls that may wait for a place. @default 256 */
  readonly maxWaitingCalls?: number
  /** Memory of all its processes together, in bytes; beyond it the server is restarted. @default 4 GiB */
  readonly maxMemoryBytes?: number
  /** Patterns of the tools whose repeats do no harm, as a person says. @default none but those that only read */
  readonly repeatable?: readonly string[]
  /** Calls of such tools that are made again in any minute, when they did not arrive or the server says so. @default 30 */
  readonly maxRepeatsPerMinute?: number
  /** Requests that it may send in a second, such as forms and prompts; beyond it its output is read slowly. @default 20 */
  readonly maxRequestsPerSecond?: number
  /** Notifications that it may send in a second; beyond it its output is read slowly. @default 500 */
  readonly maxNotificationsPerSecond?: number
  readonly breaker?: BreakerOptions
}

export const specDefaults = {
  eager: false,
  startMs: 30_000,
  callMs: 0,
  idleMs: 600_000,
  healthMs: 30_000,
  pingMs: 10_000,
  maxCalls: 64,
  maxWaitingCalls: 256,
  maxMemoryBytes: 4 * 1024 ** 3,
  maxRepeatsPerMinute: 30,
  maxRequestsPerSecond: 20,
  maxNotificationsPerSecond: 500,
} as const satisfies Partial<ServerSpec>
