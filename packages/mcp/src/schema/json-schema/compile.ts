import type { SchemaProblem } from '../problems.ts'
import { Compilation } from './compilation.ts'
import { type CompileOptions, defaults } from './compile-options.ts'
import { type Check, LimitReached, Run } from './validation-run.ts'

/** Says what is wrong with a value: nothing, when it fits. */
export type Validate = (value: unknown) => readonly SchemaProblem[]

/** Compiles a JSON Schema once, to check any number of values; throws a `SchemaError` when that is not possible. */
export function compile(schema: unknown, options: CompileOptions = {}): Validate {
  const limits = { ...defaults, ...options }
  const { check, resource } = new Compilation(schema, limits).finish()
  const run = new Run(resource, limits)
  return (value) => {
    run.start()
    try {
      if (check(value, run)) return none
    } catch (error) {
      return [givenUp(error)]
    }
    return explain(check, value, run)
  }
}

const none: readonly SchemaProblem[] = Object.freeze([])

function explain(check: Check, value: unknown, run: Run): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = []
  run.startExplaining(problems)
  try {
    check(value, run)
  } catch (error) {
    problems.push(givenUp(error))
  }
  return problems
}

function givenUp(error: unknown): SchemaProblem {
  if (error instanceof LimitReached) return { path: '', message: error.message }
  throw error
}
