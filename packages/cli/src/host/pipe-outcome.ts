import type { CallToolResult } from '@trunkline/mcp/client'
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { Line } from '../output/span.ts'

/** The host's answer about a plan, as far as this command reads it. */
interface Told {
  readonly state?: string
  readonly output?: unknown
  readonly stopped?: { readonly step: string; readonly reason: string; readonly message: string }
  readonly problems?: readonly unknown[]
}

const exits: { readonly [reason: string]: ExitCode } = {
  failed: exitCodes.toolError,
  denied: exitCodes.denied,
  limit: exitCodes.toolError,
  timeout: exitCodes.timeout,
  cancelled: exitCodes.interrupted,
}

/** Output of a plan, or the progress it made. */
export function pipeLines(result: CallToolResult): readonly Line[] {
  const { state, output } = toldBy(result)
  if (state !== 'done' || output === undefined) return textOf(result).split('\n')
  return (typeof output === 'string' ? output : JSON.stringify(output, null, 2)).split('\n')
}

/** Failure of a plan that did not run to its end; undefined otherwise. */
export function pipeFailure(result: CallToolResult): Failure | undefined {
  const { stopped, problems } = toldBy(result)
  if (stopped) {
    const { step, reason, message } = stopped
    const exit = exits[reason] ?? exitCodes.toolError
    return new Failure(`The plan was stopped at step "${step}": ${message}`, { code: reason, exit, data: stopped })
  }
  if (result.isError !== true) return undefined
  // problems are mistakes in the plan; without any, the plan was refused
  if (problems === undefined) return new Failure(textOf(result), { code: 'Refused', exit: exitCodes.denied })
  return new Failure(textOf(result), { code: 'BadPlan', exit: exitCodes.usage, data: problems })
}

/** Structured answer about a plan, which is printed as JSON. */
export function toldBy({ structuredContent }: CallToolResult): Told {
  return (structuredContent ?? {}) as Told
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}
