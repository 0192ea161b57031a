import type { Fields, Interceptor } from '@trunkline/mcp'
import { compile, describeProblems, type Validate } from '@trunkline/mcp/json-schema'
import type { Act, ActKind } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { ActHandler } from './doing.ts'

const defaultMaxSchemas = 5_000

/** Lets only accepted definitions pass; the layers within find the entry in the act. */
export function pinned(pins: Pins): Interceptor<ActHandler> {
  return (next) => (doing) => {
    const entry = pins.check(doing.act, doing.entry)
    return next(entry === undefined || entry === doing.entry ? doing : { ...doing, entry })
  }
}

/** The accepted definitions of the tools, prompts and skills that acts are about. */
export class Pins {
  readonly #catalogue: Catalogue
  readonly #isStrict: (act: Act) => boolean
  readonly #schemas = new Schemas()

  /** `isStrict` is true for an act whose tool stops as soon as its definition changes. */
  constructor(catalogue: Catalogue, isStrict: (act: Act) => boolean) {
    this.#catalogue = catalogue
    this.#isStrict = isStrict
  }

  /**
   * Returns the accepted entry of an act, and refuses others. A tool whose definition changed is still called under the
   * accepted one, while the arguments fit both; a skill that changed cannot be read as it was. The entry is looked up
   * unless it has just been `found`.
   */
  check(act: Act, found?: Entry): Entry | undefined {
    const kind = entryKinds[act.kind]
    if (kind === undefined) return undefined
    const entry = found ?? this.#catalogue.find(act.serverKey, kind, act.target)
    if (!entry) throw new Refused('unknown', `There is no ${nameOf(act)}`)
    if (entry.standing === 'usable') return entry
    if (entry.standing !== 'changed' || kind === 'skill' || this.#isStrict(act)) {
      throw new Refused('set aside', `The ${nameOf(act)} cannot be used: ${entry.why}; a person has to accept it`)
    }
    this.#checkBoth(act, entry)
    return entry
  }

  /**
   * Looks up the entry of an allowed act anew. Refuses it if the definition that the person saw is no longer the accepted
   * one, or if their edit does not fit it.
   */
  checkAllowed(asked: Act, allowed: Act): Entry | undefined {
    const entry = this.check(allowed)
    if (!entry) return undefined
    if (entry.hash !== asked.definition) {
      throw new Refused('changed', `The ${nameOf(asked)} changed while a person was asked; call again`)
    }
    if (allowed.arguments === asked.arguments) return entry
    if (allowed.kind === 'skill') throw new Refused('invalid', 'A person changed the arguments, and a skill has none')
    const problem = this.#schemas.problemOf(entry.definition.inputSchema as Fields | undefined, allowed.arguments)
    if (problem) throw new Refused('invalid', `A person changed the arguments, and they do not fit: ${problem}`)
    return entry
  }

  #checkBoth(act: Act, { definition }: Entry): void {
    const offered = this.#catalogue
      .review(act.serverKey)
      .find((one) => one.kind === entryKinds[act.kind] && one.original === act.target)?.offered
    for (const [which, one] of [
      ['accepted', definition],
      ['new', offered],
    ] as const) {
      const problem = one && this.#schemas.problemOf(one.inputSchema as Fields | undefined, act.arguments)
      if (problem) {
        const why = `its definition changed, and the arguments do not fit the ${which} one: ${problem}`
        throw new Refused('set aside', `The ${nameOf(act)} cannot be used: ${why}; a person has to accept the change`)
      }
    }
  }
}

/** The kind of the definitions that acts of a kind are about; those of other kinds are about none. */
const entryKinds: { readonly [Kind in ActKind]?: Entry['kind'] } = { call: 'tool', prompt: 'prompt', skill: 'skill' }

function nameOf(act: Act): string {
  return `${entryKinds[act.kind]} "${act.target}" of server "${act.server}"`
}

/** Compiled schemas of definitions that changed. */
export class Schemas {
  readonly #compiled = new Map<string, Validate | undefined>()
  readonly #most: number

  constructor(most = defaultMaxSchemas) {
    this.#most = most
  }

  /** Number of schemas kept. */
  get size(): number {
    return this.#compiled.size
  }

  /** Problem of arguments, or undefined; a schema that cannot be read permits nothing. */
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
    if (this.#compiled.size >= this.#most) this.#compiled.clear()
    try {
      this.#compiled.set(key, compile(schema))
    } catch {
      this.#compiled.set(key, undefined)
    }
  }
}
