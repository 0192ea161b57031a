/** Fails on an import that points the wrong way between the layers of a package, or into the sources of another one. */
import { posix } from 'node:path'
import { type File, isTest, packageSources, readFiles } from './lib/files.ts'
import { type Edge, readGraph } from './lib/graph.ts'
import { forAll, type Layout, layouts } from './lib/layers.ts'
import { pathsOf, readManifests } from './lib/manifest.ts'
import { readImports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

/** Finds the imports that no layer may have, in every package that has layers. */
export function checkLayers(files: readonly File[]): Problem[] {
  const graph = [...readGraph(files)]
  const layered = layouts.flatMap((layout) =>
    graph
      .filter(([path]) => path.startsWith(layout.sources))
      .flatMap(([path, edges]) =>
        edges.flatMap((edge) => [...checkEdge(layout, path, edge), ...checkPart(layout, path, edge)]),
      ),
  )
  return [...layered, ...checkEntries(files), ...checkRoots(files)]
}

/** Finds files beside the folders of a package's sources that are no entry of it, where there may be none. */
function checkRoots(files: readonly File[]): Problem[] {
  const packages = readManifests(files)
  return layouts
    .filter(({ hasOnlyEntries }) => hasOnlyEntries)
    .flatMap((layout) => {
      const own = packages.find(({ folder }) => layout.sources === `${folder}/src/`)
      const entries = Object.values(own?.manifest.exports ?? {}).flatMap((target) => pathsOf(target))
      return files
        .map(({ path }) => path)
        .filter((path) => posix.dirname(path) === posix.dirname(`${layout.sources}.`))
        .filter((path) => !isTest(path) && !entries.includes(`./src/${posix.basename(path)}`))
        .map((path) => ({
          path,
          line: 1,
          message: `Cannot stand beside the folders: ${layout.name} exports no such entry`,
        }))
    })
}

/** Finds imports, of tests too, that reach another package of ours other than by an entry it exports. */
export function checkEntries(files: readonly File[]): Problem[] {
  const packages = readManifests(files)
  const entries = packages.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.keys(exports).map((entry) => posix.join(name, entry)),
  )
  const isOurs = (specifier: string) =>
    packages.some(({ manifest: { name } }) => specifier === name || specifier.startsWith(`${name}/`))
  const users = packages.filter(({ manifest }) => Object.keys(manifest.dependencies ?? {}).some(isOurs))
  return files
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      const folder = users.find((user) => path.startsWith(`${user.folder}/`))?.folder
      if (folder === undefined) return []
      return readImports(text).flatMap(({ specifier, line }) => {
        const missing = isOurs(specifier) && !entries.includes(specifier) && 'no such entry'
        const inside = reachesInside(folder, path, specifier) && 'use an entry of that package'
        const reason = missing || inside
        return reason ? [{ path, line, message: `Cannot import "${specifier}": ${reason}` }] : []
      })
    })
}

function reachesInside(folder: string, path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return false
  const target = posix.join(posix.dirname(path), specifier)
  return !target.startsWith(`${folder}/`) && /^packages\/.*\/src\//.test(target)
}

function checkEdge(layout: Layout, path: string, { specifier, targets, line }: Edge): Problem[] {
  if (specifier.startsWith('node:')) return []
  const layer = layerOf(layout, path)
  if (targets.length === 0) {
    if ([forAll, ...(layout.mayUse[layer] ?? [])].some((name) => covers(name, specifier))) return []
    return [{ path, line, message: `Cannot import "${specifier}": ${layer} depends on no such package` }]
  }
  const allowed = layout.mayImport[layer]
  if (allowed === undefined) return [{ path, line, message: `Cannot place "${layer}/": no layer has that name` }]
  return targets
    .map((target) => layerOf(layout, target))
    .filter((target) => target !== layer && !allowed.includes(target))
    .map((target) => ({ path, line, message: `Cannot import "${specifier}": ${layer} may not import ${target}` }))
}

function checkPart(layout: Layout, path: string, { specifier, targets, line }: Edge): Problem[] {
  const layer = layerOf(layout, path)
  const part = partOf(layout, path)
  const allowed = layout.mayShare[layer]?.[part]
  // modules of the runtime are imported by a name of the package, and belong to no part
  if (allowed === undefined || specifier.startsWith('#')) return []
  return targets
    .filter((target) => layerOf(layout, target) === layer)
    .map((target) => partOf(layout, target))
    .filter((target) => target !== part && !allowed.includes(target))
    .map((target) => ({ path, line, message: `Cannot import "${specifier}": ${part} may not import ${target}` }))
}

function covers(name: string, specifier: string): boolean {
  return name === specifier || (name.endsWith('/*') && specifier.startsWith(name.slice(0, -1)))
}

function layerOf({ sources, name, mayImport }: Layout, path: string): string {
  if (!path.startsWith(sources)) return `what lies outside ${name}`
  const [folder = '', inner = '', ...rest] = path.slice(sources.length).split('/')
  if (inner === '') return 'entry'
  const nested = `${folder}/${inner}`
  return rest.length > 0 && mayImport[nested] !== undefined ? nested : folder
}

function partOf({ sources }: Layout, path: string): string {
  return path.slice(sources.length).split('/')[1] ?? ''
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/test/**/*.ts', 'packages/**/package.json')
  report(checkLayers(files), `${files.length} files read, every import points leftward`)
}
