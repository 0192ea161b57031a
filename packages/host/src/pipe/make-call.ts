import type { Fields } from '@trunkline/mcp'
import type { PlannedTool } from './check-plan.ts'
import type { EndOfCall, RecordedRun } from './pipe-runs.ts'
import type { CallStep } from './plan.ts'
import { resultText, resultValue } from './result-value.ts'
import type { CallPlace } from './run-plan.ts'
import { StepError } from './step-error.ts'
import { Validators } from './validators.ts'

/** Context of a call of a step. */
export interface MadeCall {
  readonly step: string
  readonly signal: AbortSignal
  /** Time to wait for a person, in milliseconds. */
  readonly holdMs: number
  /** To be awaited before the first byte leaves. */
  beforeSent(): Promise<void>
}

/** Makes one call as an act of the principal that runs the plan; throws a `StepError` when it was not done. */
export type MakeCall<Tool extends PlannedTool> = (tool: Tool, args: Fields, made: MadeCall) => Promise<Fields>

export interface CallParts<Tool extends PlannedTool> {
  readonly make: MakeCall<Tool>
  readonly run: RecordedRun
  readonly signal: AbortSignal
  readonly holdMs: number
  tell(message: string): void
}

/** Makes the calls of steps, each recorded before and after. */
export function callsOfSteps<Tool extends PlannedTool>({ make, run, tell, ...made }: CallParts<Tool>) {
  const validators = new Validators()
  return async (step: CallStep, tool: Tool, args: Fields, place: CallPlace): Promise<unknown> => {
    const at = `${place.step}${place.item}`
    const { signal } = made
    let ended: EndOfCall | undefined
    const beforeSent = async (): Promise<void> => {
      ended = await run.began(place)
    }
    try {
      const result = await make(tool, args, { ...made, step: at, beforeSent })
      if (result.isError === true)
        throw new StepError(at, 'failed', `the tool says: ${resultText(result).slice(0, maxSaid)}`)
      const value = checkedValue(step, tool, result, at, validators)
      await ended?.('done')
      tell(`${at} is done`)
      return value
    } catch (error) {
      const stopped = error instanceof StepError ? error : unexpected(error, at)
      tell(`${at} failed`)
      // a call cut off in the middle stays begun, since its outcome is unknown
      if (signal.aborted) throw cutOff(at, signal, ended !== undefined)
      if (!isUnknown(error)) await (ended ? ended('failed', stopped.message) : run.untried(place, stopped.message))
      throw stopped
    }
  }
}

/** Characters of a tool's own words that a report repeats. */
const maxSaid = 500

function checkedValue(step: CallStep, tool: PlannedTool, result: Fields, at: string, validators: Validators): unknown {
  try {
    const value = resultValue(step, tool, result)
    const isPromised = tool.outputSchema !== undefined && value === result.structuredContent
    const problem = isPromised ? validators.problemOf(tool.outputSchema, value) : undefined
    if (problem !== undefined) throw new Error(`the result is not what the tool promises: ${problem}`)
    return value
  } catch (error) {
    throw new StepError(at, 'failed', (error as Error).message)
  }
}

function cutOff(at: string, signal: AbortSignal, wasSent: boolean): StepError {
  const isLate = (signal.reason as DOMException | undefined)?.name === 'TimeoutError'
  const what = isLate ? 'the time of the run was over' : 'the caller left'
  const when = wasSent ? 'while this was under way; whether it was done is not known' : 'before this began'
  return new StepError(at, isLate ? 'timeout' : 'cancelled', `${what} ${when}`)
}

/** True if its server went away before the call ended, so that the outcome is unknown. */
function isUnknown(error: unknown): boolean {
  return (error as { readonly outcome?: unknown }).outcome === 'Unknown'
}

/** Wraps errors that do not come from the step itself, such as a server that cannot be started. */
export function unexpected(error: unknown, at = ''): StepError {
  return new StepError(at, 'failed', error instanceof Error ? error.message : String(error))
}
