import { McpError } from '../../wire/errors.ts'

/**
 * What stands in the way of authorization: an `address` that must not be asked, `discovery` that finds no usable
 * authorization server, an `issuer` other than the expected one, a failed `registration`, a request that was `refused`,
 * a server that is `unreachable`, an answer that is `invalid`, a user who did not `sign-in`, a `store` that fails, or
 * a `limit`.
 */
export type AuthProblem =
  | 'address'
  | 'discovery'
  | 'issuer'
  | 'registration'
  | 'refused'
  | 'unreachable'
  | 'invalid'
  | 'sign-in'
  | 'store'
  | 'limit'

/** What is known of why a request could not be authorized. */
export interface AuthErrorOptions {
  readonly error?: string | undefined
  readonly cause?: unknown
}

/** Why a request could not be authorized; nothing in it is secret. */
export class AuthError extends McpError {
  readonly problem: AuthProblem
  /** The code that the authorization server gave, such as `access_denied`. */
  readonly error: string | undefined

  constructor(problem: AuthProblem, message: string, { error, cause }: AuthErrorOptions = {}) {
    super('Unauthorized', message, { status: 401, outcome: 'NotSent', cause })
    this.problem = problem
    this.error = error
  }
}
