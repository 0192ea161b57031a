/** Starts a server for tests and keeps what was compiled: a host gives its servers hardly any variables, so none says where. */
import { readdirSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

enableCompileCache(join(tmpdir(), 'trunkline-test-compiled'))
await import(bundled() ?? './upstream-tools.ts')

/** The bundle of a run that is under way, see tools/run-tests/bundled-programs.ts; a test that is run by itself has none. */
function bundled(): string | undefined {
  const folder = join(import.meta.dirname, '../../../../node_modules/.cache/test-programs')
  try {
    const run = readdirSync(folder).find((name) => Number(name) > 0 && process.kill(Number(name), 0))
    return run && readFileSync(join(folder, run), 'utf8')
  } catch {
    // none was made, or its run has ended
    return undefined
  }
}
