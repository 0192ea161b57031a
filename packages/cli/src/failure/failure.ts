import { type ExitCode, exitCodes } from './exit-codes.ts'

/** Details of a failure besides its message. */
export interface FailureDetails {
  /** A word for scripts to branch on. */
  readonly code: string
  readonly exit: ExitCode
  /** Remedy: a sentence or a command to paste. */
  readonly hint?: string | undefined
  /** Data of the other side's error, for scripts. */
  readonly data?: unknown
}

/** Failure of a command, in words for a person, with its exit code. */
export class Failure extends Error implements FailureDetails {
  override readonly name = 'Failure'
  readonly code: string
  readonly exit: ExitCode
  readonly hint: string | undefined
  readonly data: unknown

  constructor(message: string, { code, exit, hint, data }: FailureDetails) {
    super(message)
    this.code = code
    this.exit = exit
    this.hint = hint
    this.data = data
  }
}

/** A mistake in what was typed. */
export function usageFailure(message: string, hint?: string): Failure {
  return new Failure(message, { code: 'Usage', exit: exitCodes.usage, hint })
}
