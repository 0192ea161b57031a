/** Fails on a mutation that can no longer be run: its text must be in its source exactly once, and its tests must exist. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { type Mutation, mutatedPackages, pathOf, problemIn } from './mutate/mutation.ts'
import { mutations } from './mutate/mutations.ts'

/** Problems of the list of mutations, compared with the files of the packages. */
export function checkMutations(list: readonly Mutation[], files: readonly File[]): Problem[] {
  const sources = new Map(files.map(({ path, text }) => [path, text]))
  const seen = new Set<string>()
  return list.flatMap((mutation): Problem[] => {
    const { file, breaks, noticedBy } = mutation
    const path = pathOf(mutation, file)
    const source = sources.get(path)
    const missing = noticedBy.filter((test) => !test.endsWith('.test.ts') || !sources.has(pathOf(mutation, test)))
    const problems = [
      ...(source === undefined ? ['there is no such file'] : [problemIn(source, mutation) ?? []].flat()),
      ...(noticedBy.length === 0 ? ['no test is named that must notice it'] : []),
      ...missing.map((test) => `there is no test "${test}"`),
      ...(seen.has(breaks) ? ['another mutation says the same'] : []),
    ]
    seen.add(breaks)
    return problems.map((problem) => ({ path, message: `Cannot run the mutation "${breaks}": ${problem}` }))
  })
}

if (import.meta.main) {
  // that erasing types is an experiment of Node need not be said every time
  process.removeAllListeners('warning')
  const files = readFiles(
    ...mutatedPackages.flatMap((name) => [`packages/${name}/src/**/*.ts`, `packages/${name}/test/**/*.test.ts`]),
  )
  report(checkMutations(mutations, files), `${mutations.length} mutations can be run`)
}
