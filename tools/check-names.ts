/** Fails on an exported name that two files of a package declare: a search for a name has to find one thing. */
import { posix } from 'node:path'
import { type File, isTest, packageSources, readFiles } from './lib/files.ts'
import { pathsOf, readManifests } from './lib/manifest.ts'
import { readExports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

/** Names that may be declared more than once, each with the reason; there is none. */
const allowed: ReadonlyMap<string, string> = new Map()

/** Finds the names that another file of the same package declares as well; a re-export declares nothing. */
export function checkNames(files: readonly File[]): Problem[] {
  const standIns = standInsOf(files)
  const sources = files.filter(({ path }) => path.endsWith('.ts') && !isTest(path) && !standIns.has(path))
  const first = new Map<string, string>()
  return sources.flatMap(({ path, text }) =>
    declaredIn(text).flatMap((name): Problem[] => {
      const key = `${packageOf(path)} ${name}`
      const before = first.get(key) ?? path
      first.set(key, before)
      if (before === path || allowed.has(name)) return []
      return [{ path, message: `Cannot declare "${name}": "${before}" exports another thing of that name; rename one` }]
    }),
  )
}

function packageOf(path: string): string {
  return path.slice(0, path.indexOf('/src/'))
}

function declaredIn(text: string): readonly string[] {
  const declared = readExports(text).filter(({ name, from }) => from === undefined && name !== 'default')
  return [...new Set(declared.map(({ name }) => name))]
}

/** The files that a package loads on other runtimes in the place of those for Node, and which so export the same names. */
function standInsOf(files: readonly File[]): ReadonlySet<string> {
  const alternatives = readManifests(files).flatMap(({ folder, manifest }) =>
    Object.values(manifest.imports ?? {})
      .filter((target) => pathsOf(target).length > 1)
      .flatMap((target) => pathsOf(target, 'default').map((path) => posix.join(folder, path))),
  )
  return new Set(alternatives)
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/package.json')
  report(checkNames(files), `${files.length} files read, every exported name is declared once`)
}
