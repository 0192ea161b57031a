/** The error codes of a challenge. */
export type TokenError = 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof' | 'use_dpop_nonce'

/** A fault in the credentials of a request; contains no secrets. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem'
  readonly error: TokenError

  constructor(error: TokenError, message: string) {
    super(message)
    this.error = error
  }
}
