/** A mistake in what an author of a server wrote: a description, a document, a plan, or where a value comes from. */
export class AuthoringError extends Error {
  override readonly name = 'AuthoringError'
  /** Remedy: a sentence or a command to paste. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
