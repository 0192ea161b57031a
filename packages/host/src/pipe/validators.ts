import type { Fields } from '@trunkline/mcp'
import { compile, describeProblems, type Validate } from '@trunkline/mcp/json-schema'

/** Schemas that were compiled once for a run. */
export class Validators {
  readonly #compiled = new Map<unknown, Validate | string>()

  /** Problem of a value, in words; undefined when it fits. A schema that cannot be read fits nothing. */
  problemOf(schema: unknown, value: unknown): string | undefined {
    const validate = this.#of(schema)
    if (typeof validate === 'string') return `its schema cannot be read: ${validate}`
    const problems = validate(value)
    return problems.length > 0 ? describeProblems(problems) : undefined
  }

  /** Reason why a schema cannot be read; undefined when it can. */
  unreadable(schema: unknown): string | undefined {
    const validate = this.#of(schema)
    return typeof validate === 'string' ? validate : undefined
  }

  #of(schema: unknown): Validate | string {
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const made = compiled(schema)
    this.#compiled.set(schema, made)
    return made
  }
}

function compiled(schema: unknown): Validate | string {
  try {
    return compile((schema ?? true) as Fields)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
