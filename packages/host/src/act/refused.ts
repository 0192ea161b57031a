import type { Fields } from '@trunkline/mcp'

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
