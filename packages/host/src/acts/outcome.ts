import type { Fields } from '@trunkline/mcp'
import type { OpenCall } from '../relay/open-call.ts'
import type { GivenTerms } from '../relay/terms/given-terms.ts'
import type { Act } from '../act/act.ts'

/** An act on its way through the stack, with the call it is done for. */
export interface Doing {
  readonly act: Act
  /** The params as they will be sent, with the arguments of the act. */
  readonly params: Fields
  readonly method: string
  readonly call: OpenCall
  /** Time to wait for a person, in milliseconds. @default that of the host */
  readonly holdMs?: number
  /** Terms that the caller sent beside the arguments; missing if it sent none. */
  readonly given?: GivenTerms
}

/** Handles an act and returns its result; each layer of the stack wraps the next one. */
export type ActHandler = (doing: Doing) => Promise<Fields>

/** The result for a caller when an act is not done, readable for a model. */
export function failure(text: string, meta?: Fields): Fields {
  return { content: [{ type: 'text', text }], isError: true, ...(meta && { _meta: meta }) }
}

/** An act that was not done, and why; tools answer it as a failed result, everything else as an error. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** For the ledger: `denied`, `limited`, `waiting`, `unknown tool` and so on. */
  readonly outcome: string
  readonly rule: string | undefined
  /** Data for the `_meta` of a failed tool result. */
  readonly meta: Fields | undefined

  constructor(outcome: string, message: string, rule?: string, meta?: Fields) {
    super(message)
    this.outcome = outcome
    this.rule = rule
    this.meta = meta
  }
}
