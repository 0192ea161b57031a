import { type ExitCode, exitCodes } from './exit-code.ts'

/** What is said about a failure besides its message. */
export interface FailureDetails {
  /** A word for scripts to branch on. */
  readonly code: string
  readonly exit: ExitCode
  /** What to do about it: a sentence or a command to paste. */
  readonly hint?: string | undefined
  /** What the other side said of it, for scripts. */
  readonly data?: unknown
}

/** Why a command failed, in words for a person, with what it ends with. */
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
