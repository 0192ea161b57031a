import { McpError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'
import type { ClientSide } from './dialect.ts'

/**
 * Checks the answer to `initialize` or `server/discover`. A capability that cannot be read is left out with a warning, so
 * that one bad feature does not take the others along.
 */
export function readOpening(
  method: string,
  result: Fields,
  { vocabulary, self }: { readonly vocabulary: Vocabulary; readonly self: Pick<ClientSide, 'warn'> },
): Fields {
  const shape = vocabulary.client.requests.get(method)?.result
  if (!shape?.check(result)) return result
  const { rest, leftOut } = withoutBadCapabilities(result, vocabulary)
  const problem = shape.check(rest)
  if (problem) {
    throw new McpError('InvalidResponse', `Cannot read the answer to "${method}": ${describeShapeProblem(problem)}`)
  }
  for (const warning of leftOut) self.warn?.(warning)
  return rest
}

function withoutBadCapabilities(result: Fields, { types }: Vocabulary): { rest: Fields; leftOut: readonly string[] } {
  const { capabilities } = result
  if (!isObject(capabilities)) return { rest: result, leftOut: [] }
  const leftOut: string[] = []
  const kept = Object.entries(capabilities).filter(([name, value]) => {
    const problem = types.ServerCapabilities?.check({ [name]: value })
    if (problem) leftOut.push(`Left out capability "${name}": ${describeShapeProblem(problem)}`)
    return !problem
  })
  return { rest: { ...result, capabilities: Object.fromEntries(kept) }, leftOut }
}
