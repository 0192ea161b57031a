import type { Tool } from '../../../model/types.ts'
import type { ResultTerms, Want } from '../terms.ts'

/** Additions of the contract to the options of a tool call. */
export interface ContractCallOptions {
  /** The part of the result that is wanted, and its level of detail. */
  readonly want: Want
  /** Milliseconds to wait for the result; the server gets the deadline too, so that its handler does not run on. */
  readonly deadlineMs: number
  /** The same as a time, such as `ctx.deadline` of a handler that makes this call. */
  readonly deadline: Date | undefined
  /** Calls with the same key are one call; `true` makes a key. With one, a call whose outcome is unknown is repeated. */
  readonly idempotencyKey: string | true
  /** The plan of `tools.preview`: the call runs only if it still holds. */
  readonly plan: string
  /**
   * The definition that this caller was made for. A tool that takes more by now is called; one that takes less is not, and
   * the error says what changed.
   */
  readonly expects: Tool
  /** The folder that relative paths start from, as an absolute path on the server's machine. */
  readonly cwd: string
  /** A name for the call, by which `tools.signal` reaches it while it runs; one that others cannot guess. */
  readonly handle: string
  /**
   * Takes the result of the same call on this connection where it is at most so many milliseconds old, of a tool that only
   * reads and says that its results do not vary. Any other tool is called.
   */
  readonly maxAgeMs: number
  /** Tries in all, where a repeat is safe: with a key, or after a hint of the server. @default 3 */
  readonly attempts: number
}

/** Additions of the contract to the result of a tool call. */
export interface ContractResult extends ResultTerms {}

/** Effects that a tool would have. */
export interface Preview {
  readonly effects: readonly string[]
  /** For the `plan` of a call that is to do just this. */
  readonly plan: string
}
