import { type Outcome, TrunklineError } from '../../wire/errors.ts'

/** A schema that cannot be used; its author has to change it. */
export class SchemaError extends TrunklineError {
  override readonly name = 'SchemaError'
  override readonly code = 'Schema'
  override readonly outcome: Outcome | undefined = undefined

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
  }
}
