import { nearName } from '@trunkline/mcp/json-schema'
import { circleOf } from './circle.ts'
import { mismatches } from './mismatch.ts'
import { type CallStep, type PipePlan, PlanError, type PlanProblem, type Step, type Template } from './plan.ts'
import { anything, shapeAt, shapeOfItems, shapeOfSchema, shapeOfTemplate, someText, type ValueShape } from './shape.ts'
import { eachNode, fill } from './template.ts'
import { Validators } from './validators.ts'
import { splitPointer, VisibleSteps } from './visible-steps.ts'

/** Facts about a tool that a plan needs. */
export interface PlannedTool {
  /** The name under which callers know it. */
  readonly name: string
  readonly server: string
  readonly class: string
  readonly inputSchema: unknown
  readonly outputSchema: unknown
  /** Reason why it cannot be called; undefined if it can. */
  readonly unusable?: string | undefined
}

/** The tools that a plan may call. */
export interface ToolTable<Tool extends PlannedTool = PlannedTool> {
  find(name: string): Tool | undefined
  names(): readonly string[]
  /** Reason why there is no such tool, if it is known. */
  whyMissing?(name: string): string | undefined
}

/** A plan that fits together, with the tool of each call. */
export interface CheckedPlan<Tool extends PlannedTool = PlannedTool> {
  readonly plan: PipePlan
  readonly tools: ReadonlyMap<CallStep, Tool>
}

/** Holds a plan against the schemas of its tools; a `PlanError` names step, field and expectation of all that does not fit. */
export function checkPlan<Tool extends PlannedTool>(plan: PipePlan, table: ToolTable<Tool>): CheckedPlan<Tool> {
  const checker = new Checker(table)
  const scope = new VisibleSteps<ValueShape>()
  checker.steps(plan.steps, scope)
  checker.template(plan.output, scope, { at: 'output' })
  if (checker.problems.length > 0) throw new PlanError(checker.problems)
  return { plan, tools: checker.tools }
}

interface Place {
  readonly step?: string
  readonly at: string
  /** The steps beside it, for a reference to one that comes later. */
  readonly beside?: readonly Step[]
}

class Checker<Tool extends PlannedTool> {
  readonly problems: PlanProblem[] = []
  readonly tools = new Map<CallStep, Tool>()
  readonly #table: ToolTable<Tool>

  constructor(table: ToolTable<Tool>) {
    this.#table = table
  }

  /** The shape of the last step. */
  steps(steps: readonly Step[], scope: VisibleSteps<ValueShape>): ValueShape {
    let last = anything
    for (const step of steps) {
      last = this.#step(step, scope, steps)
      if (scope.has(step.id)) this.#problem({ step: step.id, at: 'id' }, 'another step that it can see has the same id')
      scope.set(step.id, last)
    }
    return last
  }

  template(template: Template, scope: VisibleSteps<ValueShape>, place: Place): ValueShape {
    return shapeOfTemplate(template, (pointer) => this.#find(pointer, scope, place))
  }

  #step(step: Step, scope: VisibleSteps<ValueShape>, beside: readonly Step[]): ValueShape {
    const place = { step: step.id, beside, at: '' }
    const shape = this.#shape(step, scope, place)
    if (typeof step.onError === 'string') return shape
    const instead = this.template(step.onError.use, scope, { ...place, at: 'onError.use' })
    return { kind: 'either', shapes: [shape, instead] }
  }

  #shape(step: Step, scope: VisibleSteps<ValueShape>, place: Place): ValueShape {
    switch (step.kind) {
      case 'call':
        return this.#call(step, scope, place)
      case 'filter':
        this.#where(step.where, scope, { ...place, at: 'where' })
        return { kind: 'each', item: this.#items(step.over, scope, { ...place, at: 'filter' }) }
      case 'map': {
        const inner = new VisibleSteps(scope)
        inner.set(step.as, this.#items(step.over, scope, { ...place, at: 'map' }))
        inner.set('index', shapeOfSchema({ type: 'integer' }))
        return { kind: 'each', item: this.#output(step, inner, place) }
      }
      case 'group':
        return this.#output(step, new VisibleSteps(scope), place)
      default: {
        const members = step.steps.map((one) => [one.id, this.#step(one, scope, step.steps)] as const)
        const twice = step.steps.find(({ id }, at) => step.steps.findIndex((one) => one.id === id) < at)
        if (twice) this.#problem({ step: twice.id, at: 'id' }, 'another step beside it has the same id')
        return { kind: 'object', members: new Map(members) }
      }
    }
  }

  #output(
    { steps, output }: { readonly steps: readonly Step[]; readonly output: Template | undefined },
    inner: VisibleSteps<ValueShape>,
    place: Place,
  ): ValueShape {
    const last = this.steps(steps, inner)
    return output === undefined ? last : this.template(output, inner, { ...place, at: 'output' })
  }

  #call(step: CallStep, scope: VisibleSteps<ValueShape>, place: Place): ValueShape {
    const args = this.template(step.arguments, scope, { ...place, at: 'arguments' })
    const tool = this.#table.find(step.tool)
    if (!tool) {
      const near = nearName(step.tool, this.#table.names())
      const guess = near === undefined ? '' : `; did you mean "${near}"?`
      const why = this.#table.whyMissing?.(step.tool)
      const more = why === undefined ? guess : `: ${why}`
      this.#problem({ ...place, at: 'call' }, `there is no tool "${step.tool}" here${more}`)
      return anything
    }
    if (tool.unusable !== undefined)
      this.#problem({ ...place, at: 'call' }, `the tool "${step.tool}" cannot be used: ${tool.unusable}`)
    this.tools.set(step, tool)
    for (const { at, message } of mismatches(args, tool.inputSchema ?? true))
      this.#problem({ ...place, at: at === '' ? 'arguments' : `arguments.${at}` }, message)
    return shapeOfResult(step, tool)
  }

  #where(where: Template, scope: VisibleSteps<ValueShape>, place: Place): void {
    let isKnown = true
    eachNode(where, ({ kind }) => (isKnown &&= kind !== 'from'))
    this.template(where, scope, place)
    const unreadable = isKnown ? new Validators().unreadable(fill(where, () => undefined)) : undefined
    if (unreadable !== undefined) this.#problem(place, `it is no JSON Schema: ${unreadable}`)
  }

  #items(pointer: string, scope: VisibleSteps<ValueShape>, place: Place): ValueShape {
    const items = shapeOfItems(this.#find(pointer, scope, place))
    if (items === undefined) this.#problem(place, `expects a list at "${pointer}", and it certainly is none`)
    return items ?? anything
  }

  #find(pointer: string, scope: VisibleSteps<ValueShape>, place: Place): ValueShape {
    const { name, rest } = splitPointer(pointer)
    const known = scope.get(name)
    if (!known) {
      this.#problem(place, `"${pointer}" refers to nothing: ${whyNot(name, scope, place)}`)
      return anything
    }
    let shape = known
    for (const token of rest) {
      const next = shapeAt(shape, token)
      if ('missing' in next) {
        this.#problem(place, `"${pointer}" refers to nothing: there is no "${token}"; ${next.missing}`)
        return anything
      }
      shape = next
    }
    return shape
  }

  #problem({ step, at }: Place, message: string): void {
    this.problems.push({ at, message, ...(step !== undefined && { step }) })
  }
}

function whyNot(name: string, scope: VisibleSteps<ValueShape>, { step, beside = [] }: Place): string {
  const circle = step === undefined ? undefined : circleOf(beside, step, name)
  if (circle) return `the steps ${circle.map((id) => `"${id}"`).join(', ')} refer to each other in a circle`
  if (name === step) return 'a step cannot refer to itself'
  if (beside.some(({ id }) => id === name)) return `step "${name}" is not done before this one`
  const near = nearName(name, scope.names())
  return `there is no step "${name}" before it${near === undefined ? '' : `; did you mean "/${near}"?`}`
}

function shapeOfResult({ result }: CallStep, { outputSchema }: PlannedTool): ValueShape {
  const form = result ?? (outputSchema === undefined ? 'text' : 'structured')
  if (form === 'text') return someText
  if (form === 'content') return shapeOfSchema({ type: 'array', items: { type: 'object' } })
  return form === 'structured' && outputSchema !== undefined ? shapeOfSchema(outputSchema) : anything
}
