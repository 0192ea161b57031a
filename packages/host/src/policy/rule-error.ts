import type { RuleSource } from './rule.ts'

/** A rule that cannot be read; the message names file, line and fix. */
export class RuleError extends Error {
  override readonly name = 'RuleError'
  readonly source: RuleSource
  /** True if no act could ever match it, so that nothing is missing without it. */
  readonly matchesNothing: boolean

  constructor(source: RuleSource, problem: string, { matchesNothing = false } = {}) {
    super(`Cannot read the rule at ${source.file}:${source.line}: ${problem}`)
    this.source = source
    this.matchesNothing = matchesNothing
  }
}
