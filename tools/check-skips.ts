/** Fails on a test that is skipped other than for want of something the machine may have to have; see lib/needs.ts. */
import { type File, readFiles } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

const ways = [
  // test.skip(…), context.skip(…) and their like
  /\b(?:test|it|describe|suite|context|t)\.(?:skip|todo)\(/g,
  /\btodo:/g,
  // a reason of its own, where a name or what lacking(…) says has to stand
  /\bskip: (?!lacking\(|\w+ *[,}])/g,
  /\bskip = (?!lacking\()/g,
]

/** Finds skipped tests that the gate could not require to run. */
export function checkSkips(files: readonly File[]): Problem[] {
  return files.flatMap(({ path, text }) =>
    ways.flatMap((way) =>
      [...text.matchAll(way)].map(({ index }) => ({
        path,
        line: lineAt(text, index),
        message: 'Cannot skip a test so: give "lacking(…)" of tools/lib/needs.ts as the reason',
      })),
    ),
  )
}

if (import.meta.main) {
  const files = readFiles('packages/*/{src,test}/**/*.ts', 'bench/**/*.test.ts', 'tools/**/*.test.ts')
  const tests = files.filter(({ path }) => path.endsWith('.test.ts') || path.includes('/test/'))
  // the tests of what finds skips are full of them
  const checked = tests.filter(({ path }) => !/^tools\/(?:check-skips|run-tests)/.test(path))
  report(checkSkips(checked), `${checked.length} files skip for reasons that can be forbidden`)
}
