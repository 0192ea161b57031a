import type { Fields } from '@trunkline/mcp'
import type { CheckedPlan, PlannedTool } from './check-plan.ts'
import { ResultBytes } from './kept-bytes.ts'
import type { PipeLimits } from './pipe-limits.ts'
import type { CallStep, FilterStep, MapStep, Step, Template } from './plan.ts'
import { pointedAt } from './pointer.ts'
import { StepError } from './step-error.ts'
import { fill } from './template.ts'
import { Validators } from './validators.ts'
import { splitPointer, VisibleSteps } from './visible-steps.ts'

/** Place of a call in a run. */
export interface CallPlace {
  /** The step, with those it stands in: `notes/save`. */
  readonly step: string
  /** The items it is for: `[3]`; empty outside of lists. */
  readonly item: string
}

/** Dependencies of a run. */
export interface RunParts<Tool extends PlannedTool> {
  readonly limits: Required<PipeLimits>
  /** Aborts when the outcome is no longer wanted, or at the time limit. */
  readonly signal: AbortSignal
  /** Calls a tool and returns the value of the step; throws a `StepError`. */
  call(step: CallStep, tool: Tool, args: Fields, place: CallPlace): Promise<unknown>
  /** A call was not even tried, because of its arguments. */
  onUntried(place: CallPlace, why: string): Promise<void>
  /** A step of the plan itself, not of one inside another, is done. */
  onStep?(step: Step): void
}

interface Frame {
  readonly scope: VisibleSteps<unknown>
  /** The ids of the steps around it, and the items they are at. */
  readonly path: readonly string[]
  readonly item: string
  /** Bytes of the results that are kept for it. */
  readonly kept: { bytes: number }
}

/** Runs a plan that was checked; resolves with its output, or throws the `StepError` that stopped it. */
export function runPlan<Tool extends PlannedTool>(checked: CheckedPlan<Tool>, parts: RunParts<Tool>): Promise<unknown> {
  return new PlanRun(checked, parts).run()
}

class PlanRun<Tool extends PlannedTool> {
  readonly #checked: CheckedPlan<Tool>
  readonly #parts: RunParts<Tool>
  readonly #kept: ResultBytes
  readonly #validators = new Validators()
  /** Error that stops the whole run, whatever `onError` of its steps says. */
  #fatal: StepError | undefined
  #calls = 0
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(checked: CheckedPlan<Tool>, parts: RunParts<Tool>) {
    this.#checked = checked
    this.#parts = parts
    this.#kept = new ResultBytes(parts.limits.maxKeptBytes)
  }

  async run(): Promise<unknown> {
    const { plan } = this.#checked
    const frame = { scope: new VisibleSteps<unknown>(), path: [], item: '', kept: { bytes: 0 } }
    const last = await this.#steps(plan.steps, frame, this.#parts.onStep)
    return plan.output === undefined ? last : this.#fill(plan.output, frame, 'output')
  }

  async #steps(steps: readonly Step[], frame: Frame, onStep?: (step: Step) => void): Promise<unknown> {
    let last: unknown
    for (const step of steps) {
      last = await this.#step(step, frame)
      frame.scope.set(step.id, last)
      onStep?.(step)
    }
    return last
  }

  async #step(step: Step, frame: Frame): Promise<unknown> {
    const at = placeOf(step, frame)
    try {
      return this.#keep(await this.#value(step, frame), frame.kept, at)
    } catch (error) {
      if (this.#fatal) throw this.#fatal
      if (!(error instanceof StepError) || typeof step.onError === 'string') throw error
      return this.#fill(step.onError.use, frame, at)
    }
  }

  #keep(value: unknown, kept: Frame['kept'], at: string): unknown {
    const bytes = this.#kept.keep(value)
    const { maxKeptBytes } = this.#parts.limits
    if (bytes === undefined)
      throw this.#stop(at, 'limit', `the results that are kept would take more than ${maxKeptBytes} bytes`)
    kept.bytes += bytes
    return value
  }

  async #value(step: Step, frame: Frame): Promise<unknown> {
    if (step.kind === 'call') return this.#call(step, frame)
    if (step.kind === 'filter') return this.#filter(step, frame)
    const inside = { ...frame, path: [...frame.path, step.id], kept: { bytes: 0 } }
    try {
      if (step.kind === 'map') return await this.#map(step, inside)
      if (step.kind === 'parallel') return await this.#parallel(step.steps, inside)
      return await this.#inner(step, { ...inside, scope: new VisibleSteps(frame.scope) })
    } finally {
      // its output is counted once more, as its value
      this.#kept.release(inside.kept.bytes)
    }
  }

  async #inner(step: { readonly steps: readonly Step[]; readonly output: Template }, frame: Frame): Promise<unknown> {
    const last = await this.#steps(step.steps, frame)
    return step.output === undefined ? last : this.#fill(step.output, frame, frame.path.join('/'))
  }

  async #call(step: CallStep, frame: Frame): Promise<unknown> {
    const at = placeOf(step, frame)
    const place = { step: [...frame.path, step.id].join('/'), item: frame.item }
    const tool = this.#checked.tools.get(step) as Tool
    const { limits, call, onUntried } = this.#parts
    const args = await this.#arguments(step, tool, frame).catch(async (error: Error) => {
      await onUntried(place, error.message)
      throw error
    })
    await this.#turn()
    try {
      this.#mayGoOn(at)
      this.#calls += 1
      if (this.#calls > limits.maxCalls) throw this.#stop(at, 'limit', `a run makes at most ${limits.maxCalls} calls`)
      return await call(step, tool, args, place)
    } catch (error) {
      if (error instanceof StepError && error.reason !== 'failed') this.#fatal ??= error
      throw error
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }

  async #arguments(step: CallStep, tool: Tool, frame: Frame): Promise<Fields> {
    const at = placeOf(step, frame)
    const args = this.#fill(step.arguments, frame, at)
    const problem = this.#validators.problemOf(tool.inputSchema, args)
    if (problem !== undefined) throw new StepError(at, 'failed', `the arguments do not fit: ${problem}`)
    return args as Fields
  }

  /** A few calls at a time, in the order in which they come. */
  async #turn(): Promise<void> {
    while (this.#running >= this.#parts.limits.maxParallel)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running += 1
  }

  async #filter({ over, where, id }: FilterStep, frame: Frame): Promise<unknown> {
    const at = [...frame.path, id].join('/') + frame.item
    const schema = this.#fill(where, frame, at)
    const unreadable = this.#validators.unreadable(schema)
    if (unreadable !== undefined) throw new StepError(at, 'failed', `its "where" is no JSON Schema: ${unreadable}`)
    return this.#list(over, frame, at).filter((item) => this.#validators.problemOf(schema, item) === undefined)
  }

  async #map(step: MapStep, frame: Frame): Promise<unknown> {
    const items = this.#list(step.over, frame, frame.path.join('/') + frame.item)
    const done = new Map<number, unknown>()
    let failed: unknown
    let next = 0
    const work = async (): Promise<void> => {
      while (next < items.length && failed === undefined) {
        const index = next++
        try {
          done.set(index, await this.#item(step, items[index], index, frame))
        } catch (error) {
          if (this.#fatal || step.onError !== 'skip' || !(error instanceof StepError)) failed ??= error
        }
      }
    }
    // waits for the calls under way: their outcomes would be unknown otherwise
    await Promise.all(Array.from({ length: Math.min(step.atOnce, items.length) }, work))
    if (failed !== undefined) throw failed
    return [...done].sort(([one], [other]) => one - other).map(([, value]) => value)
  }

  async #item(step: MapStep, item: unknown, index: number, frame: Frame): Promise<unknown> {
    const scope = new VisibleSteps(frame.scope)
    scope.set(step.as, item)
    scope.set('index', index)
    const own = { scope, path: frame.path, item: `${frame.item}[${index}]`, kept: { bytes: 0 } }
    try {
      const value = await this.#inner(step, own)
      return this.#keep(value, frame.kept, own.path.join('/') + own.item)
    } finally {
      this.#kept.release(own.kept.bytes)
    }
  }

  async #parallel(steps: readonly Step[], frame: Frame): Promise<unknown> {
    const settled = await Promise.allSettled(steps.map((step) => this.#step(step, frame)))
    const values = settled.map((one, at) => {
      if (one.status === 'rejected') throw this.#fatal ?? one.reason
      return [steps[at]?.id, one.value]
    })
    return Object.fromEntries(values)
  }

  #list(pointer: string, frame: Frame, at: string): readonly unknown[] {
    const list = this.#find(pointer, frame, at)
    if (!Array.isArray(list)) throw new StepError(at, 'failed', `there is no list at "${pointer}"`)
    const { maxItems } = this.#parts.limits
    if (list.length > maxItems)
      throw this.#stop(at, 'limit', `the list at "${pointer}" has ${list.length} items, at most ${maxItems}`)
    return list
  }

  #fill(template: Template, frame: Frame, at: string): unknown {
    return fill(template, (pointer) => this.#find(pointer, frame, at))
  }

  #find(pointer: string, { scope }: Frame, at: string): unknown {
    const { name, rest } = splitPointer(pointer)
    const value = pointedAt(scope.get(name), rest)
    if (value === undefined) throw new StepError(at, 'failed', `there is nothing at "${pointer}"`)
    return value
  }

  #mayGoOn(at: string): void {
    if (this.#fatal) throw this.#fatal
    const { signal } = this.#parts
    if (!signal.aborted) return
    const isLate = (signal.reason as DOMException | undefined)?.name === 'TimeoutError'
    throw this.#stop(at, isLate ? 'timeout' : 'cancelled', isLate ? 'its time was over' : 'the caller cancelled it')
  }

  #stop(at: string, reason: StepError['reason'], message: string): StepError {
    this.#fatal ??= new StepError(at, reason, message)
    return this.#fatal
  }
}

function placeOf({ id }: Step, { path, item }: Frame): string {
  return [...path, id].join('/') + item
}
