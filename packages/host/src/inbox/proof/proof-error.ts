/** Reason why a proof was not taken, or could not be changed. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly code: 'Wrong' | 'Wait' | 'Missing' | 'Damaged' | 'Unfit' | 'Full'

  constructor(code: ProofError['code'], message: string) {
    super(message)
    this.code = code
  }
}
