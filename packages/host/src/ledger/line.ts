import type { ServerName } from '../act/server-name.ts'
/** Kind of a ledger line. */
export type LineKind = 'began' | 'ended' | 'refused' | 'decided' | 'accepted' | 'changed' | 'started' | 'stopped'

/** An event in words and digests; never arguments, results or secrets. */
export interface Line {
  readonly kind: LineKind
  /** The act it belongs to, where there is one. */
  readonly act?: string
  /** Kind of the act: `call`, `read` and so on. */
  readonly actKind?: string
  /** The question by which a person decided about it, or was asked to. */
  readonly question?: string
  readonly principal?: string
  readonly project?: string
  readonly server?: ServerName
  readonly target?: string
  /** Effect and rule of the policy. */
  readonly effect?: string
  readonly rule?: string
  /** Outcome: `ok`, `error`, `denied`, `cancelled`, `unknown` and so on. */
  readonly outcome?: string
  readonly ms?: number
  /** True if an act that failed or was refused had reached its server. */
  readonly isSent?: boolean
  readonly trace?: string
  /** Keyed digests, so that equal arguments can be recognised and none can be guessed. */
  readonly argumentsDigest?: string
  readonly resultDigest?: string
  readonly definition?: string
  /** The person or program that decided, and the door. */
  readonly by?: string
  readonly why?: string
}

/** A line as it stands in the chain. */
export interface ChainedLine {
  /** Counted from 1, without gaps. */
  readonly number: number
  /** Time of writing, as in `Date.now()`. */
  readonly at: number
  readonly line: Line
  /** The hash of the line before, in hex; 64 zeros before the first. */
  readonly previous: string
  /** Over number, time, line and `previous`. */
  readonly hash: string
}
