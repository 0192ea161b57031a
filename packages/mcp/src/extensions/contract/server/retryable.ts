import { McpError } from '../../../wire/errors.ts'
import type { RetryHint } from '../terms.ts'

/** An error that says whether and when a call may be repeated; no fault of the server, so it is not logged. */
export class Retryable extends McpError {
  readonly hint: RetryHint

  constructor(message: string, hint: RetryHint) {
    super('Busy', message)
    this.hint = hint
  }
}

/** An error for handlers to throw: the caller is told whether and when to try again. */
export function retryable(message: string, hint: Partial<RetryHint> = {}): Retryable {
  return new Retryable(message, { class: hint.afterMs === undefined ? 'transient' : 'rateLimited', ...hint })
}
