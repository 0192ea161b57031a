import type { Fields } from '@trunkline/mcp'
import type { PipeLimits } from './pipe-limits.ts'
import {
  type OnError,
  type PipePlan,
  PlanError,
  type PlanProblem,
  type ResultForm,
  resultForms,
  type Step,
} from './plan.ts'
import { pointerTokens } from './pointer.ts'
import { eachNode } from './template.ts'

/** Depth of nested values in a plan. */
const maxDepth = 64
const idForm = /^[a-zA-Z][\w-]{0,63}$/

const kinds = ['call', 'map', 'filter', 'parallel', 'steps'] as const
type Kind = (typeof kinds)[number]

const common = ['id', 'onError']
const fieldsOf: { readonly [kind in Kind]: readonly string[] } = {
  call: [...common, 'call', 'arguments', 'result'],
  map: [...common, 'map', 'as', 'atOnce', 'steps', 'output'],
  filter: [...common, 'filter', 'where'],
  parallel: [...common, 'parallel'],
  steps: [...common, 'steps', 'output'],
}

/** Reads a plan; a `PlanError` names everything in it that is wrong. */
export function parsePlan(value: unknown, limits: Required<PipeLimits>): PipePlan {
  checkSize(value, limits)
  const parser = new Parser(limits)
  const plan = parser.plan(value)
  if (parser.problems.length > 0) throw new PlanError(parser.problems)
  return plan
}

/** Refuses a plan that is too large or too deep, before anything walks it. */
function checkSize(value: unknown, { maxPlanBytes }: Required<PipeLimits>): void {
  if (isDeeper(value, maxDepth)) throw new PlanError([{ at: '', message: `it is nested deeper than ${maxDepth}` }])
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes > maxPlanBytes) throw new PlanError([{ at: '', message: `it has ${bytes} bytes, at most ${maxPlanBytes}` }])
}

function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

class Parser {
  readonly problems: PlanProblem[] = []
  readonly #limits: Required<PipeLimits>
  #count = 0

  constructor(limits: Required<PipeLimits>) {
    this.#limits = limits
  }

  plan(value: unknown): PipePlan {
    const given = isFields(value) ? value : {}
    if (!isFields(value)) this.#problem('', 'it must be an object with "steps"')
    this.#known(given, ['steps', 'output', 'description', '$schema'], '')
    const steps = this.#steps(given.steps, 'steps', 1)
    const { maxSteps } = this.#limits
    // of ten thousand steps only their number is reported
    if (this.#count > maxSteps)
      throw new PlanError([{ at: '', message: `it has ${this.#count} steps, at most ${maxSteps}` }])
    this.#template(given.output, 'output')
    return { steps, output: given.output }
  }

  #steps(value: unknown, at: string, depth: number): readonly Step[] {
    if (!Array.isArray(value) || value.length === 0) return this.#problem(at, 'must be a list of steps') ?? []
    this.#count += value.length
    const { maxSteps, maxNesting } = this.#limits
    if (depth > maxNesting) return this.#problem(at, `steps stand inside each other deeper than ${maxNesting}`) ?? []
    if (this.#count > maxSteps) return []
    return value.map((one, index) => this.#step(isFields(one) ? one : {}, `${at}[${index}]`, depth))
  }

  #step(given: Fields, at: string, depth: number): Step {
    const id = typeof given.id === 'string' && idForm.test(given.id) ? given.id : ''
    if (id === '') this.#problem(`${at}.id`, 'must be a name of letters, digits, "-" and "_", such as "issues"')
    const named = kinds.filter((kind) => given[kind] !== undefined)
    const [kind] = named
    if (kind === undefined || named.some((one) => one !== kind && !(kind === 'map' && one === 'steps')))
      this.#problem(at, `must have one of ${kinds.join(', ')}`)
    const known = kind ?? 'call'
    this.#known(given, fieldsOf[known], at)
    const step = { id, onError: this.#onError(given.onError, known, `${at}.onError`) }
    switch (known) {
      case 'call':
        return { ...step, kind: 'call', ...this.#call(given, at) }
      case 'map':
        return { ...step, kind: 'map', ...this.#map(given, at, depth) }
      case 'filter':
        this.#template(given.where, `${at}.where`)
        if (!isFields(given.where)) this.#problem(`${at}.where`, 'must be a JSON Schema that items have to fit')
        return { ...step, kind: 'filter', over: this.#pointer(given.filter, `${at}.filter`), where: given.where }
      case 'parallel':
        return { ...step, kind: 'parallel', steps: this.#steps(given.parallel, `${at}.parallel`, depth + 1) }
      default:
        this.#template(given.output, `${at}.output`)
        return {
          ...step,
          kind: 'group',
          steps: this.#steps(given.steps, `${at}.steps`, depth + 1),
          output: given.output,
        }
    }
  }

  #call(given: Fields, at: string) {
    const { call, arguments: args = {}, result } = given
    if (typeof call !== 'string' || call === '') this.#problem(`${at}.call`, 'must be the name of a tool')
    if (!isFields(args)) this.#problem(`${at}.arguments`, 'must be an object')
    this.#template(args, `${at}.arguments`)
    if (result !== undefined && !resultForms.includes(result as ResultForm))
      this.#problem(`${at}.result`, `must be one of ${resultForms.join(', ')}`)
    return { tool: String(call), arguments: args, result: result as ResultForm | undefined }
  }

  #map(given: Fields, at: string, depth: number) {
    const { as = 'item', atOnce = 1, output } = given
    const { maxParallel } = this.#limits
    if (typeof as !== 'string' || !idForm.test(as)) this.#problem(`${at}.as`, 'must be a name, such as "item"')
    if (!Number.isInteger(atOnce) || Number(atOnce) < 1 || Number(atOnce) > maxParallel)
      this.#problem(`${at}.atOnce`, `must be a whole number from 1 to ${maxParallel}`)
    this.#template(output, `${at}.output`)
    const steps = this.#steps(given.steps, `${at}.steps`, depth + 1)
    return { over: this.#pointer(given.map, `${at}.map`), as: String(as), atOnce: Number(atOnce), steps, output }
  }

  #onError(value: unknown = 'stop', kind: Kind, at: string): OnError {
    if (value === 'stop') return value
    if (value === 'skip' && kind === 'map') return value
    if (isFields(value) && 'use' in value) {
      this.#known(value, ['use'], at)
      this.#template(value.use, `${at}.use`)
      return { use: value.use }
    }
    const skip = kind === 'map' ? ', "skip"' : ''
    this.#problem(at, `must be "stop"${skip} or { "use": VALUE }`)
    return 'stop'
  }

  #pointer(value: unknown, at: string): string {
    const isPointer = typeof value === 'string' && (pointerTokens(value)?.length ?? 0) > 0
    if (!isPointer) this.#problem(at, 'must be a JSON Pointer to a list, such as "/step/items"')
    return String(value)
  }

  #template(value: unknown, at: string): void {
    eachNode(value, (node, inside) => {
      if (node.kind === 'wrong') this.#problem(`${at}${inside}`, node.message)
    })
  }

  #known(given: Fields, names: readonly string[], at: string): void {
    for (const name of Object.keys(given))
      if (!names.includes(name))
        this.#problem(at === '' ? name : `${at}.${name}`, `is not known; there are ${names.join(', ')}`)
  }

  #problem(at: string, message: string): undefined {
    this.problems.push({ at, message })
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
