import type { Report } from '../rpc/error-reporter.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { McpError } from '../wire/errors.ts'
import { BadResult } from './bad-result.ts'

/** Turns what the handler of a request threw into a sentence that may leave the server. */
export type Describe = (error: unknown, what: string, incoming: Incoming) => string

/** What becomes of errors that handlers throw. */
export interface FailureOptions {
  /** What a caller is told about an error a handler threw. @default the message of errors made to be read, nothing of others */
  readonly describeError?: (error: unknown) => string | undefined
  /** Told of every error a handler threw. @default prints it to standard error */
  readonly onError?: (error: unknown, what: string) => void
}

/** What becomes of errors in handlers. */
export interface Failures {
  readonly describe: Describe
  readonly report: Report
}

/** Reports errors here, and finds the words for them there. */
export function failures({ describeError = readable, onError = print }: FailureOptions): Failures {
  const report: Report = (error, what) => {
    // a user who declines or a client that goes away is nothing the server did wrong
    if (!(error instanceof McpError) || operators.has(error.code)) onError(error, what)
  }
  const describe: Describe = (error, what, incoming) => {
    // whoever stops when asked to stop has not failed
    if (!incoming.isCalledOffBy(error)) report(error, what)
    return describeError(error) ?? `${what} failed`
  }
  return { describe, report }
}

/** What whoever wrote or runs the server has to repair. */
const operators: ReadonlySet<string> = new Set(['Misuse', 'Store'])

// a bug or a system error speaks of stacks, paths and hosts; what an author throws on purpose speaks to the caller
const revealing = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError]

function readable(error: unknown): string | undefined {
  // where a store is and what ails it is nobody else's business
  if (error instanceof McpError) return error.code === 'Store' ? undefined : error.message
  if (!(error instanceof Error) || revealing.some((kind) => error instanceof kind)) return undefined
  return 'syscall' in error || 'errno' in error ? undefined : error.message || undefined
}

function print(error: unknown, what: string): void {
  // where in this library a result was found to be wrong helps nobody
  if (error instanceof BadResult) console.error(error.message)
  else console.error(`${what} failed:`, error)
}
