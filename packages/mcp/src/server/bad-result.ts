import type { Report } from '../rpc/error-reporter.ts'
import { NotJson, toJson } from '../schema/json-value.ts'
import { InternalError, RpcError } from '../wire/errors.ts'

/** A handler returned something that cannot be sent; reported to the author and to the caller. */
export class BadResult extends RpcError {
  constructor(message: string) {
    super(InternalError, message)
  }
}

/** The offer whose handler returned, for error messages. */
export interface Returning {
  readonly kind: 'Tool' | 'Prompt' | 'Resource' | 'Template' | 'Completer'
  readonly name: string
  readonly report: Report
}

/** Reports what is wrong with a result, and fails the call with the same message. */
export function refuseResult({ kind, name, report }: Returning, problem: string): never {
  const what = `${kind} "${name}"`
  const error = new BadResult(`${what} returned ${problem}`)
  report(error, what)
  throw error
}

/** Converts a result to JSON. */
export function jsonOf(value: unknown, returning: Returning): unknown {
  try {
    return toJson(value)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return refuseResult(returning, `what JSON cannot carry: ${error.path === '' ? 'it ' : ''}${error.message}`)
  }
}
