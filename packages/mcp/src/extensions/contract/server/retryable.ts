import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { refuseUnknownOptions } from '../../../wire/known-options.ts'
import type { RetryHint } from '../terms.ts'

/** An error that says whether and when a call may be repeated; no fault of the server, so it is not logged. */
export class Retryable extends McpError {
  readonly hint: RetryHint

  constructor(message: string, hint: RetryHint) {
    super('Busy', message)
    this.hint = hint
  }
}

const classes: readonly unknown[] = [
  'transient',
  'rateLimited',
  'permanent',
  'arguments',
  'conflict',
] satisfies RetryHint['class'][]

/** An error for handlers to throw: the caller is told whether and when to try again. */
export function retryable(message: string, hint: Partial<RetryHint> = {}): Retryable {
  refuseUnknownOptions('Cannot hint at a repeat', hint, { class: true, afterMs: true })
  const { class: kind, afterMs }: { readonly [Name in keyof RetryHint]?: unknown } = hint
  if (kind !== undefined && !classes.includes(kind))
    throw wrong('class', classes.map((each) => JSON.stringify(each)).join(', '), kind)
  if (afterMs !== undefined && !(typeof afterMs === 'number' && afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY))
    throw wrong('afterMs', 'a number of milliseconds', afterMs)
  return new Retryable(message, { class: afterMs === undefined ? 'transient' : 'rateLimited', ...hint })
}

function wrong(name: string, wanted: string, value: unknown): McpError {
  const given = typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
  return new McpError('Misuse', `Cannot hint at a repeat: "${name}" must be ${wanted}, not ${given}`)
}
