import type { ServerKey } from '../act/server-key.ts'

/** The states of a server. */
export type UpstreamState = 'waiting' | 'starting' | 'ready' | 'failing' | 'stopped' | 'needs you'

/** Status of a server, for a person. */
export interface UpstreamStatus {
  readonly name: ServerKey
  readonly state: UpstreamState
  /** Reason of the state, in words. */
  readonly why: string
  /** Since when it is in this state, as in `Date.now()`. */
  readonly since: number
  readonly starts: number
  /** Milliseconds until it may be tried again; 0 when it may be at any time. */
  readonly waitMs: number
  readonly pid: number | undefined
  readonly calls: number
  /** Reason why its output is read slowly; undefined if it is not. */
  readonly throttled: string | undefined
}
