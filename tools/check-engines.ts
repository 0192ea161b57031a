/** Fails when somebody who installs with the oldest Node sees a warning that the README does not explain. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { oldestNode } from './lib/supported.ts'
import { acceptsVersion } from './lib/version.ts'

/** Finds packages of ours that want a newer Node than the oldest, where the README is silent about it or names another one. */
export function checkEngines(files: readonly File[]): Problem[] {
  const readme = files.find(({ path }) => path === 'README.md')?.text ?? ''
  const explained = /^.*EBADENGINE.*$/m.exec(readme)?.[0]
  return manifests(files).flatMap(({ path, wanted }) => {
    if (acceptsVersion(wanted, `${oldestNode}.0`)) return []
    const release = wanted.replace(/^>=/, '')
    if (explained?.includes(`Node ${release}`)) return []
    return [
      { path, message: `Wants Node ${wanted}: say beside EBADENGINE in README.md that "Node ${release}" is harmless` },
    ]
  })
}

function manifests(files: readonly File[]): { path: string; wanted: string }[] {
  return files
    .filter(({ path }) => path.endsWith('package.json'))
    .map(({ path, text }) => ({ path, wanted: (JSON.parse(text) as Engines).engines?.node ?? '*' }))
}

interface Engines {
  readonly engines?: { readonly node?: string }
}

if (import.meta.main) {
  const files = readFiles('README.md', 'package.json', '{packages,examples,tools}/**/package.json')
  report(checkEngines(files), `${files.length - 1} packages warn of nothing that is not explained`)
}
