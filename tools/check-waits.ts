/** Fails when a test looks for something again and again without a limit: it would hang, and not say what it waited for. */
import { type File, isTest, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

/** A loop that does nothing but wait for a moment. */
const endlessWait =
  /^\s*while \(.*\) (?:await|\{\s*await) (?:new Promise(?:<void>)?\(\(?(?:resolve\) => )?set(?:Timeout|Immediate)|(?:wait|pause|delay|sleep)\()/

/** Finds waits without a limit in test code; programs in texts are other people's. */
export function checkWaits(files: readonly File[]): Problem[] {
  return files
    .filter(({ path }) => isTest(path))
    .flatMap(({ path, text }) =>
      text
        .replace(/`(?:[^`\\]|\\.)*`/g, (program) => program.replaceAll(/[^\n]/g, ' '))
        .split('\n')
        .flatMap((line, at) => (endlessWait.test(line) ? [{ path, line: at + 1, message }] : [])),
    )
}

const message = 'Waits without a limit: use until() of tools/lib/until.ts, which fails and says what it waited for'

if (import.meta.main) {
  const files = readFiles('{packages,examples,tools,bench,runtimes}/**/*.{ts,tsx}')
  report(checkWaits(files), `${files.filter(({ path }) => isTest(path)).length} files of tests wait with limits`)
}
