import type { SamplingMessage } from '../model/input.ts'
import { balanceProblem } from '../model/sampling-balance.ts'
import { McpError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { assertDeclared } from './client-capability-check.ts'
import type { Caller } from './dialect.ts'
import type { InputLimits } from './input-limits.ts'
import type { Facts } from './revision-facts.ts'

/** Refuses an input request that the client did not declare, or that exceeds the limit. */
export function assertAskable(
  method: string,
  params: Fields,
  { caller, facts, asked, limits }: { caller: Caller; facts: Facts; asked: number; limits: InputLimits },
): void {
  if (asked > limits.maxQuestionsPerCall)
    throw new McpError('TooMany', `Cannot ask again: one call may ask ${limits.maxQuestionsPerCall} questions`)
  const unbalanced = params.messages && balanceProblem(params.messages as readonly SamplingMessage[])
  if (unbalanced) throw new McpError('Misuse', `Cannot sample: ${unbalanced}`)
  assertDeclared(method, params, { caller, facts })
}

/** Checks the answer of a client, so that handlers can trust it. */
export function checkedAnswer(method: string, answer: Fields, { vocabulary }: Facts): Fields {
  const problem = vocabulary.inputs.get(method)?.result.check(answer)
  if (!problem) return answer
  throw new McpError('Input', `Cannot use the client's answer to "${method}": ${describeShapeProblem(problem)}`)
}
