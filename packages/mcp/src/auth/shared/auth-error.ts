import { McpError } from '../../wire/errors.ts'

/**
 * The kind of an {@link AuthError}: a forbidden `address`, `discovery` without a usable authorization server, an
 * unexpected `issuer`, a failed `registration`, a `refused` request, an `unreachable` server, an `invalid` response,
 * a user who did not `sign-in`, a `store` that failed, or a `limit`.
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

/** Options of an {@link AuthError}. */
export interface AuthErrorOptions {
  readonly error?: string | undefined
  readonly cause?: unknown
}

/** Reason why a request could not be authorized; contains no secrets. */
export class AuthError extends McpError {
  readonly problem: AuthProblem
  /** The OAuth error code of the authorization server, such as `access_denied`. */
  readonly error: string | undefined

  constructor(problem: AuthProblem, message: string, { error, cause }: AuthErrorOptions = {}) {
    super('Unauthorized', message, { status: 401, outcome: 'NotSent', cause })
    this.problem = problem
    this.error = error
  }
}
