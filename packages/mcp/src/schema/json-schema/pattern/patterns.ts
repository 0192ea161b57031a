import type { SchemaLimits } from '../compile-options.ts'
import { shorten } from '../message-words.ts'
import type { Meter } from '../meter.ts'
import { SchemaError } from '../schema-error.ts'
import { toNative } from './native.ts'
import { parse } from './parse.ts'
import { assemble } from './program.ts'
import { Simulation } from './simulation.ts'

/** Tells whether a text has a match of a regular expression. */
export type Matcher = (text: string, meter: Meter) => boolean

type PatternLimits = Pick<SchemaLimits, 'trusted' | 'maxPatternSize'>

/** The regular expressions of one schema. */
export class Patterns {
  readonly #limits: PatternLimits
  readonly #known = new Map<string, Matcher>()
  #size = 0

  constructor(limits: PatternLimits) {
    this.#limits = limits
  }

  compile(source: string): Matcher {
    const matcher = this.#known.get(source) ?? (this.#limits.trusted ? native(source) : this.#linear(source))
    this.#known.set(source, matcher)
    return matcher
  }

  #linear(source: string): Matcher {
    const grow = (size: number) => {
      this.#size += size
      if (this.#size > this.#limits.maxPatternSize)
        throw new SchemaError(
          `Cannot use the pattern ${shorten(source)}: it makes the patterns of the schema too large`,
        )
    }
    grow(source.length)
    const simulation = new Simulation(assemble(parse(source), () => grow(1)))
    return (text, meter) => simulation.matches(text, meter)
  }
}

function native(source: string): Matcher {
  const expression = toNative(source)
  return (text, meter) => {
    meter.pay(1 + (text.length >> 4))
    return expression.test(text)
  }
}
