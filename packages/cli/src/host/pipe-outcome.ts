import type { CallToolResult } from '@trunkline/mcp/client'
import { type ExitCode, exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import type { Line } from '../output/span.ts'

/** What the host says of a plan, as far as this command looks at it. */
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

/** What to show of a plan: its output, or how far it came. */
export function pipeLines(result: CallToolResult): readonly Line[] {
  const { state, output } = toldBy(result)
  if (state !== 'done' || output === undefined) return textOf(result).split('\n')
  return (typeof output === 'string' ? output : JSON.stringify(output, null, 2)).split('\n')
}

/** What to end with when a plan was not run, or not to its end. */
export function pipeFailure(result: CallToolResult): Failure | undefined {
  const { stopped, problems } = toldBy(result)
  if (stopped) {
    const { step, reason, message } = stopped
    const exit = exits[reason] ?? exitCodes.toolError
    return new Failure(`The plan was stopped at step "${step}": ${message}`, { code: reason, exit, data: stopped })
  }
  if (result.isError !== true) return undefined
  // what the tool itself refuses is a mistake in what it was given; all else was refused to it
  if (problems === undefined) return new Failure(textOf(result), { code: 'Refused', exit: exitCodes.denied })
  return new Failure(textOf(result), { code: 'BadPlan', exit: exitCodes.usage, data: problems })
}

/** What is printed as JSON. */
export function toldBy({ structuredContent }: CallToolResult): Told {
  return (structuredContent ?? {}) as Told
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}
