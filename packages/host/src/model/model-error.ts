/** Reason why a model did not answer. */
export type ModelErrorCode =
  | 'NoModel' // none is configured that can be used
  | 'Budget' // it may not be used any more for now
  | 'Key' // the provider does not take the key
  | 'Limited' // the provider wants fewer requests
  | 'Refused' // the provider does not take the request
  | 'Unreachable' // no connection
  | 'Quiet' // nothing came for too long
  | 'TooLarge' // more came than is taken
  | 'Failed' // anything else

/** A model that did not answer, in words for a person. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  /** Time of the next possible try, as in `Date.now()`. */
  readonly retryAt: number | undefined

  constructor(code: ModelErrorCode, message: string, { retryAt }: { readonly retryAt?: number | undefined } = {}) {
    super(message)
    this.code = code
    this.retryAt = retryAt
  }
}
