import type { SchemaProblem } from '../problems.ts'
import { listOfWords } from './message-words.ts'
import type { Check, Run } from './validation-run.ts'

/** Explains why no alternative matches: with the problems of the nearest one, or of all. */
export function explainNone(alternatives: readonly Check[], value: unknown, run: Run): false {
  if (alternatives.length > maxExplained || !run.elaborates())
    return run.fail(`must fit one of ${alternatives.length} alternatives`)
  const explained = alternatives.map((check) => run.problemsOf(check, value))
  const [nearest, ...others] = nearestOf(explained, run.path)
  if (nearest && others.length === 0) run.report(nearest)
  else run.fail(summarize(explained, run.path))
  return false
}

/** The alternatives with the fewest problems, and these not about the kind of value it is. */
function nearestOf(explained: readonly Explanation[], path: string): readonly Explanation[] {
  const right = explained.filter((problems) => problems.every((problem) => problem.path !== path))
  const candidates = right.length > 0 ? right : explained
  const fewest = candidates.reduce((least, { length }) => Math.min(least, length), Infinity)
  return candidates.filter(({ length }) => length === fewest)
}

function summarize(explained: readonly Explanation[], path: string): string {
  const reasons = [...new Set(explained.map((problems) => encode(problems, path)))]
  if (reasons.every((reason) => reason.startsWith('must be ')))
    return `must be ${listOfWords(reasons.map((reason) => reason.slice('must be '.length)))}`
  if (reasons.length === 1) return reasons.join()
  return `must fit one of ${explained.length} alternatives: ${listOfWords(reasons)}`
}

function encode(problems: Explanation, path: string): string {
  return problems
    .map((problem) => (problem.path === path ? problem.message : `${problem.path} ${problem.message}`))
    .join(' and ')
}

type Explanation = readonly SchemaProblem[]

const maxExplained = 20
