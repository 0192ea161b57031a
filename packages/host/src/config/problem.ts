/** Problem of a configuration file, for a person: its place, its description, and the fix. */
export interface ConfigProblem {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** The keys that lead to it, joined by dots; empty for the file as a whole. */
  readonly key: string
  readonly problem: string
  readonly fix: string
  /** Set where everything else in the file counts as before, so that nothing stops because of it. */
  readonly isWarning?: true
}

/** A problem in one line, as editors and terminals link it. */
export function describeProblem({ file, line, key, problem, fix }: ConfigProblem): string {
  return `${file}:${line}: ${key === '' ? '' : `${key} `}${problem}; ${fix}`
}
