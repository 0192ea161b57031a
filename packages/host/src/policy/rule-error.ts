import type { RuleSource } from './rule.ts'

/** A rule that cannot be read; the message names file, line and fix. */
export class RuleError extends Error {
  override readonly name = 'RuleError'
  readonly source: RuleSource

  constructor(source: RuleSource, problem: string) {
    super(`Cannot read the rule at ${source.file}:${source.line}: ${problem}`)
    this.source = source
  }
}
