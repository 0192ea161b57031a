import type { Report } from '../rpc/error-reporter.ts'
import { NotJson, toJson } from '../schema/json-value.ts'
import { InternalError, RpcError } from '../wire/errors.ts'

/** What a handler returned cannot be sent: its author is at fault, and is told as well as the caller. */
export class BadResult extends RpcError {
  constructor(message: string) {
    super(InternalError, message)
  }
}

/** Whose result it is, for the words of an error. */
export interface Returning {
  readonly kind: 'Tool' | 'Prompt' | 'Resource' | 'Template' | 'Completer'
  readonly name: string
  readonly report: Report
}

/** Tells the author what is wrong with a result, and ends the call with the same words. */
export function refuseResult({ kind, name, report }: Returning, problem: string): never {
  const what = `${kind} "${name}"`
  const error = new BadResult(`${what} returned ${problem}`)
  report(error, what)
  throw error
}

/** A result as JSON carries it. */
export function jsonOf(value: unknown, returning: Returning): unknown {
  try {
    return toJson(value)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return refuseResult(returning, `what JSON cannot carry: ${error.path === '' ? 'it ' : ''}${error.message}`)
  }
}
