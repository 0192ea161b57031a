import type { Report } from '../rpc/error-reporter.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { McpError } from '../wire/errors.ts'
import { BadResult } from './bad-result.ts'

/** The message that a caller gets for an error of a handler. */
export type Describe = (error: unknown, what: string, incoming: Incoming) => string

/** Options for reporting errors of handlers. */
export interface FailureOptions {
  /**
   * The message that a caller gets for an error of a handler. @default the message of errors made to be read, nothing
   * of others
   */
  readonly describeError?: (error: unknown) => string | undefined
  /** Receives every error of a handler. @default prints it to standard error */
  readonly onError?: (error: unknown, what: string) => void
}

/** Reports errors of handlers, and finds their messages for callers. */
export interface Failures {
  readonly describe: Describe
  readonly report: Report
}

/** Makes a {@link Failures} of the options. */
export function failures({ describeError = readable, onError = print }: FailureOptions): Failures {
  const report: Report = (error, what) => {
    // a declined question or a disconnected client is not a fault of the server
    if (!(error instanceof McpError) || operators.has(error.code)) onError(error, what)
  }
  const describe: Describe = (error, what, incoming) => {
    // a handler that stops on abort has not failed
    if (!incoming.isCalledOffBy(error)) report(error, what)
    return describeError(error) ?? `${what} failed`
  }
  return { describe, report }
}

/** Errors that the author or operator of the server has to repair. */
const operators: ReadonlySet<string> = new Set(['Misuse', 'Store'])

// messages of bugs and system errors contain paths and hosts; those of an author's own errors are for the caller
const revealing = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError]

function readable(error: unknown): string | undefined {
  // callers must not learn where a store is, or what is wrong with it
  if (error instanceof McpError) return error.code === 'Store' ? undefined : error.message
  if (!(error instanceof Error) || revealing.some((kind) => error instanceof kind)) return undefined
  return 'syscall' in error || 'errno' in error ? undefined : error.message || undefined
}

function print(error: unknown, what: string): void {
  // the stack of this library does not help the author
  if (error instanceof BadResult) console.error(error.message)
  else console.error(`${what} failed:`, error)
}
