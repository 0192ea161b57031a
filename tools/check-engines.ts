/** Fails when a package of the workspace makes an install with the oldest Node print a warning. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { oldestNode } from './lib/supported.ts'
import { acceptsVersion } from './lib/version.ts'

/** Finds packages of the workspace that want a newer Node than a developer needs. */
export function checkEngines(files: readonly File[]): Problem[] {
  return files.flatMap(({ path, text }) => {
    const wanted = (JSON.parse(text) as Engines).engines?.node ?? '*'
    if (acceptsVersion(wanted, `${oldestNode}.0`)) return []
    const message = `Wants Node ${wanted}: say >=${oldestNode} here, and what users need in tools/lib/supported.ts`
    return [{ path, message }]
  })
}

interface Engines {
  readonly engines?: { readonly node?: string }
}

if (import.meta.main) {
  const files = readFiles('package.json', '{packages,examples,tools}/**/package.json')
  report(checkEngines(files), `${files.length} packages install on Node ${oldestNode} without a warning of their own`)
}
