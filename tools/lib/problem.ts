/** One thing to repair, and where. */
export interface Problem {
  readonly path: string
  readonly line?: number
  readonly message: string
}

/** The command-line face of a check: every problem on a line of its own and a failing exit, or one line that all is well. */
export function report(problems: readonly Problem[], passed: string): void {
  for (const problem of problems) console.error(describe(problem))
  console.log(problems.length === 0 ? passed : `${problems.length} to repair`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

/** The end of a command that could not do its work: what went wrong, without a stack, and a failing exit. */
export function fail({ message }: Error): void {
  console.error(message)
  process.exitCode = 1
}

/** A problem as editors and terminals link it. */
export function describe({ path, line, message }: Problem): string {
  return line === undefined ? `${path}: ${message}` : `${path}:${line}: ${message}`
}

/** The line, counted from one, that holds a position in a text. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}
