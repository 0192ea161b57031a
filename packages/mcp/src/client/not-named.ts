import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'

/** The error of a call whose first argument does not say what it is about. */
export function notNamed({ doing, wanted, form }: { readonly [part: string]: string }, given: unknown): McpError {
  const problem = `the first argument must be its ${wanted}, not ${kindOf(given)}`
  return new McpError('Misuse', `Cannot ${doing}: ${problem}; write ${form}`)
}
