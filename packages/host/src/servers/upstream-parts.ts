import type { Slots } from '@trunkline/base/slots'
import type { Connecting } from './open-server.ts'
import type { LogLine } from './stderr-ring.ts'
import type { UpstreamStatus } from './upstream-status.ts'

/** Dependencies of an upstream. */
export interface UpstreamParts {
  /** Limits how many servers start at the same time, over all of them. */
  readonly starts: Slots
  /** Options of the connection, apart from the address. */
  readonly connecting: Connecting
  /** True if a caller watches its offers, so that it has to run without calls too. @default false */
  isWatched?(): boolean
  onState?(status: UpstreamStatus): void
  onLog?(lines: readonly LogLine[]): void
  /** Called when it sends more than it may, at most once a minute. */
  onThrottled?(why: string): void
}
