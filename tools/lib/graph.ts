import { posix } from 'node:path'
import { type File, isTest } from './files.ts'
import { pathsOf, readManifests } from './manifest.ts'
import { type Import, readImports } from './modules.ts'

/** An import and the files it may load. */
export interface Edge extends Import {
  /** Every file that some platform loads; empty for a built-in module or another package. */
  readonly targets: readonly string[]
  /** Those that a platform loads which is not Node; of a package that is bundled into this one, too. */
  readonly portable: readonly string[]
}

/** Imports of each source file, by path. Tests are left out: they may import anything. */
export type Graph = ReadonlyMap<string, readonly Edge[]>

/** Reads the imports of sources; `#specifiers` are looked up in the package.json files among them. */
export function readGraph(files: readonly File[]): Graph {
  const packages = readManifests(files)
  const sources = files.filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path))
  return new Map(sources.map(({ path, text }) => [path, readImports(text).map((one) => edge(path, one))]))

  function edge(path: string, one: Import): Edge {
    if (one.specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(path), one.specifier)
      return { ...one, targets: [target], portable: [target] }
    }
    const owner = packages.find(({ folder }) => path.startsWith(`${folder}/`))
    const mapped = owner?.manifest.imports?.[one.specifier]
    if (owner === undefined || mapped === undefined) return { ...one, targets: [], portable: bundled(one.specifier) }
    const inPackage = (paths: string[]) => paths.map((target) => posix.join(owner.folder, target))
    return { ...one, targets: inPackage(pathsOf(mapped)), portable: inPackage(pathsOf(mapped, 'default')) }
  }

  /** The file of an entry of a package that is not published. */
  function bundled(specifier: string): readonly string[] {
    return packages
      .filter(({ manifest }) => manifest.private && specifier.startsWith(`${manifest.name}/`))
      .flatMap(({ folder, manifest }) => {
        const target = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`]
        return target === undefined ? [] : pathsOf(target).map((path) => posix.join(folder, path))
      })
  }
}
