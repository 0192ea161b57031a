import type { ServerKey } from './server-key.ts'

/** The states of a server. */
export type UpstreamState = 'waiting' | 'starting' | 'ready' | 'failing' | 'stopped' | 'needs you'

/** How a server is doing, for a person. */
export interface UpstreamStatus {
  readonly name: ServerKey
  readonly state: UpstreamState
  /** Why, in words. */
  readonly why: string
  /** Since when it is in this state, as in `Date.now()`. */
  readonly since: number
  readonly starts: number
  /** Milliseconds until it may be tried again; 0 when it may be at any time. */
  readonly waitMs: number
  readonly pid: number | undefined
  readonly calls: number
  /** Why its output is read slowly; undefined where it is not. */
  readonly throttled: string | undefined
}
