import type { File } from './files.ts'
import { describe, type Problem } from './problem.ts'

/** Files for a test, from their paths and texts. */
export function sample(texts: Readonly<Record<string, string>>): File[] {
  return Object.entries(texts).map(([path, text]) => ({ path, text }))
}

/** Problems as the command line shows them. */
export function described(problems: readonly Problem[]): string[] {
  return problems.map(describe)
}
