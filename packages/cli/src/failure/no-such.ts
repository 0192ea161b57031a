import { type Failure, usageFailure } from './failure.ts'

/** Failure for a name that does not exist: the nearest one, and all there are. */
export async function noSuchOf(said: string, name: string, names: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(name, names)
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  return usageFailure(`${said}${guess}`, names.length === 0 ? 'There are none' : `There are: ${names.join(', ')}`)
}
