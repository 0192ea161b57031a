/** A value that may hold references into earlier results. */
export type Template = unknown

/** Effect of a failed step: the run stops, the item is left out, or a value takes the place of the result. */
export type OnError = 'stop' | 'skip' | { readonly use: Template }

interface AnyStep {
  /** Name by which later steps refer to it. */
  readonly id: string
  readonly onError: OnError
}

/** Forms of a tool's result that become the value of its step. */
export const resultForms = ['structured', 'text', 'json', 'content'] as const
export type ResultForm = (typeof resultForms)[number]

/** Calls a tool. */
export interface CallStep extends AnyStep {
  readonly kind: 'call'
  readonly tool: string
  readonly arguments: Template
  /** @default structured where the tool describes its output, else text */
  readonly result: ResultForm | undefined
}

/** Works through a list: its steps run for each item. */
export interface MapStep extends AnyStep {
  readonly kind: 'map'
  /** The list, as a JSON Pointer. */
  readonly over: string
  /** Name of the item in the steps inside. */
  readonly as: string
  /** Items that are worked on at the same time. */
  readonly atOnce: number
  readonly steps: readonly Step[]
  /** Value of an item. @default the value of the last step */
  readonly output: Template | undefined
}

/** Keeps the items of a list that fit a JSON Schema. */
export interface FilterStep extends AnyStep {
  readonly kind: 'filter'
  readonly over: string
  readonly where: Template
}

/** Runs steps at the same time; they do not see each other. */
export interface ParallelStep extends AnyStep {
  readonly kind: 'parallel'
  readonly steps: readonly Step[]
}

/** Runs steps one after the other, as one. */
export interface GroupStep extends AnyStep {
  readonly kind: 'group'
  readonly steps: readonly Step[]
  readonly output: Template | undefined
}

export type Step = CallStep | MapStep | FilterStep | ParallelStep | GroupStep

/** Steps to run in order, and the output. */
export interface PipePlan {
  readonly steps: readonly Step[]
  /** @default the value of the last step */
  readonly output: Template | undefined
}

/** Problem of a plan, and its place. */
export interface PlanProblem {
  /** Such as `steps[2].arguments.title`. */
  readonly at: string
  readonly message: string
  /** The id of the step, where it has one. */
  readonly step?: string
}

/** A plan that cannot be run: nothing of it was done. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
  readonly problems: readonly PlanProblem[]

  constructor(problems: readonly PlanProblem[]) {
    const shown = problems.slice(0, maxShown).map(wordsOf)
    const more = problems.length > maxShown ? [`and ${problems.length - maxShown} more`] : []
    super(`Cannot run the plan, and nothing was called: ${[...shown, ...more].join('; ')}`)
    this.problems = problems
  }
}

const maxShown = 10

function wordsOf({ at, message, step }: PlanProblem): string {
  const where = step === undefined ? at : `step "${step}"${at === '' ? '' : `, ${at}`}`
  return where === '' ? message : `${where}: ${message}`
}
