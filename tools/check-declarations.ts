/** Fails when a signature that users see names a type that they cannot import. */
import { emitLibrary } from './declarations/emit.ts'
import { findUnnamed, type Unnamed } from './declarations/reachable.ts'
import { type Problem, report } from './lib/problem.ts'

/** One problem for each type, however many entries and signatures lead to it. */
export function checkDeclarations(unnamed: readonly Unnamed[]): Problem[] {
  const first = new Map(unnamed.toReversed().map((found) => [found.type, found]))
  return [...first.values()].toReversed().map(({ entry, type, by }) => ({
    path: 'packages/mcp/src',
    message: `Cannot import ${type}, which ${by.join(' > ')} of "${entry}" names: export it there, or mark what names it @internal`,
  }))
}

if (import.meta.main) {
  const entries = await emitLibrary()
  report(checkDeclarations(findUnnamed(entries)), `${entries.length} entries name only types that can be imported`)
}
