import type { Fields, Interceptor } from '@trunkline/mcp'
import { compile, describeProblems, type Validate } from '@trunkline/mcp/json-schema'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Act, keyOfServer } from './act.ts'
import { type ActHandler, type Doing, Refused } from './outcome.ts'

/** How many compiled schemas are kept. */
const maxSchemas = 5_000

/**
 * Allows only accepted definitions. A tool whose definition changed is still called under the accepted one, while the
 * arguments fit both.
 */
export function pinned(catalogue: Catalogue, isStrict: (act: Act) => boolean): Interceptor<ActHandler> {
  const schemas = new Schemas()
  return (next) => async (doing) => {
    check(doing, catalogue, { schemas, isStrict })
    return next(doing)
  }
}

function check({ act }: Doing, catalogue: Catalogue, { schemas, isStrict }: PinnedParts): void {
  if (act.kind !== 'call' && act.kind !== 'prompt') return
  const kind = act.kind === 'call' ? 'tool' : 'prompt'
  const entry = catalogue.find(keyOfServer(act), kind, act.target)
  const name = `${kind} "${act.target}" of server "${act.server}"`
  if (!entry) throw new Refused('unknown', `There is no ${name}`)
  if (entry.standing === 'usable') return
  if (entry.standing !== 'changed' || isStrict(act)) {
    throw new Refused('set aside', `The ${name} cannot be used: ${entry.why}; a person has to accept it`)
  }
  const offered = catalogue
    .review(keyOfServer(act))
    .find((one) => one.kind === kind && one.original === act.target)?.offered
  for (const [which, definition] of [
    ['accepted', entry.definition],
    ['new', offered],
  ] as const) {
    const problem = definition && schemas.problemOf(definition.inputSchema as Fields | undefined, act.arguments)
    if (problem) {
      const why = `its definition changed, and the arguments do not fit the ${which} one: ${problem}`
      throw new Refused('set aside', `The ${name} cannot be used: ${why}; a person has to accept the change`)
    }
  }
}

interface PinnedParts {
  readonly schemas: Schemas
  /** Whether a tool stops as soon as its definition changes. */
  isStrict(act: Act): boolean
}

class Schemas {
  readonly #compiled = new Map<string, Validate | undefined>()

  /** What is wrong with arguments, if anything is; a schema that cannot be read permits nothing. */
  problemOf(schema: Fields | undefined, args: Fields): string | undefined {
    if (!schema) return undefined
    const key = JSON.stringify(schema)
    if (!this.#compiled.has(key)) this.#compile(key, schema)
    const validate = this.#compiled.get(key)
    if (!validate) return 'its schema cannot be read'
    const problems = validate(args)
    return problems.length > 0 ? describeProblems(problems) : undefined
  }

  #compile(key: string, schema: Fields): void {
    if (this.#compiled.size >= maxSchemas) this.#compiled.clear()
    try {
      this.#compiled.set(key, compile(schema))
    } catch {
      this.#compiled.set(key, undefined)
    }
  }
}
