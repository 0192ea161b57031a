import type { ServerName } from '../config/server-name.ts'
/** What a line of the ledger is about. */
export type LineKind = 'began' | 'ended' | 'refused' | 'decided' | 'accepted' | 'changed' | 'started' | 'stopped'

/** What happened, in words and digests; never arguments, results or secrets. */
export interface Line {
  readonly kind: LineKind
  /** The act it belongs to, where there is one. */
  readonly act?: string
  /** What kind of act: `call`, `read` and so on. */
  readonly actKind?: string
  /** The question by which a person decided about it, or was asked to. */
  readonly question?: string
  readonly principal?: string
  readonly project?: string
  readonly server?: ServerName
  readonly target?: string
  /** What the policy said, and which rule. */
  readonly effect?: string
  readonly rule?: string
  /** How it ended: `ok`, `error`, `denied`, `cancelled`, `unknown` and so on. */
  readonly outcome?: string
  readonly ms?: number
  readonly trace?: string
  /** Keyed digests, so that equal arguments can be recognised and none can be guessed. */
  readonly argumentsDigest?: string
  readonly resultDigest?: string
  readonly definition?: string
  /** Who decided, and through which door. */
  readonly by?: string
  readonly why?: string
}

/** A line as it stands in the chain. */
export interface ChainedLine {
  /** Counted from 1, without gaps. */
  readonly number: number
  /** When it was written, as in `Date.now()`. */
  readonly at: number
  readonly line: Line
  /** The hash of the line before, in hex; 64 zeros before the first. */
  readonly previous: string
  /** Over number, time, line and `previous`. */
  readonly hash: string
}
