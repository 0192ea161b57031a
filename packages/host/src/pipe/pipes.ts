import type { Fields } from '@trunkline/mcp'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import type { Store } from '../store/store.ts'
import { type CheckedPlan, checkPlan, type PlannedTool, type ToolTable } from './check-plan.ts'
import { callsOfSteps, type MakeCall, unexpected } from './make-call.ts'
import { parsePlan } from './parse-plan.ts'
import { type PipeLimits, pipeDefaults } from './pipe-limits.ts'
import { checkedResult, doneResult, failedResult, reportResult, stoppedResult } from './pipe-results.ts'
import { PipeRuns } from './pipe-runs.ts'
import { pipeTool } from './pipe-tool.ts'
import { PlanError } from './plan.ts'
import { type CallPlace, runPlan } from './run-plan.ts'
import { StepError } from './step-error.ts'

/** Caller of a plan, and the function that makes its calls. */
export interface PipeRequest<Tool extends PlannedTool = PlannedTool> {
  readonly principal: string
  readonly trace: string
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal
  /** @default those of the host */
  readonly limits?: Required<PipeLimits> | undefined
  /** The tools that the caller may use. */
  tools(): Promise<ToolTable<Tool>>
  /** Makes one call as an act of the caller. */
  readonly call: MakeCall<Tool>
  onProgress(progress: number, message: string): void
}

const problemsOf = compile(pipeTool.inputSchema)

/** Runs plans, and remembers their calls. */
export class Pipes {
  #limits: Required<PipeLimits>
  readonly #runs: PipeRuns
  readonly #running = new Map<string, number>()

  constructor(store: Store, limits: PipeLimits = {}) {
    this.#limits = { ...pipeDefaults, ...limits }
    this.#runs = new PipeRuns(store, () => this.#limits.maxRemembered)
  }

  get limits(): Required<PipeLimits> {
    return this.#limits
  }

  /** Puts other limits in force, from the next plan on. */
  setLimits(limits: Required<PipeLimits>): void {
    this.#limits = limits
  }

  /** Answers the tool `pipe`. */
  async answer<Tool extends PlannedTool>(args: Fields, request: PipeRequest<Tool>): Promise<Fields> {
    const problems = problemsOf(args)
    if (problems.length > 0) return failedResult(`Cannot run a plan: ${describeProblems(problems)}`)
    const { plan, check, report } = args as { plan?: Fields; check?: boolean; report?: string }
    if ((plan === undefined) === (report === undefined))
      return failedResult('Cannot run a plan: give either "plan" or "report"')
    if (report !== undefined)
      return reportResult(this.#runs.find(request.principal, report === 'last' ? undefined : report))
    try {
      const checked = checkPlan(parsePlan(plan, request.limits ?? this.limits), await request.tools())
      return check === true ? checkedResult(checked) : await this.#counted(checked, request)
    } catch (error) {
      if (!(error instanceof PlanError)) throw error
      return failedResult(error.message, error.problems)
    }
  }

  async #counted<Tool extends PlannedTool>(checked: CheckedPlan<Tool>, request: PipeRequest<Tool>): Promise<Fields> {
    const { principal } = request
    const { maxRunsPerPrincipal } = request.limits ?? this.limits
    const running = this.#running.get(principal) ?? 0
    if (running >= maxRunsPerPrincipal)
      return failedResult(`Cannot run the plan: ${maxRunsPerPrincipal} of yours are running already`)
    this.#running.set(principal, running + 1)
    try {
      return await this.#run(checked, request)
    } finally {
      const left = (this.#running.get(principal) ?? 1) - 1
      if (left === 0) this.#running.delete(principal)
      else this.#running.set(principal, left)
    }
  }

  async #run<Tool extends PlannedTool>(checked: CheckedPlan<Tool>, request: PipeRequest<Tool>): Promise<Fields> {
    const { limits = this.limits } = request
    const { steps } = checked.plan
    const { principal, trace, onProgress } = request
    const run = await this.#runs.begin(principal, trace, steps)
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.maxTotalMs)])
    let progress = 0
    const tell = (message: string): void => onProgress(++progress, message)
    const holdMs = limits.maxTotalMs
    const call = callsOfSteps({ make: request.call, run, signal, holdMs, tell })
    const onUntried = (place: CallPlace, why: string) => run.untried(place, why)
    const onStep = ({ id }: { readonly id: string }): void => tell(`step "${id}" is done`)
    const report = () => this.#runs.find(principal, run.id)
    try {
      const output = await runPlan(checked, { limits, signal, call, onUntried, onStep })
      await run.ended()
      return doneResult(output, report())
    } catch (error) {
      const { step, reason, message } = error instanceof StepError ? error : unexpected(error)
      await run.ended({ step, reason, message })
      return stoppedResult(report())
    }
  }
}
