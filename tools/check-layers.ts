/** Fails on an import that points the wrong way between the layers of the library. */
import { type File, packageSources, readFiles } from './lib/files.ts'
import { type Edge, readGraph } from './lib/graph.ts'
import { type Problem, report } from './lib/problem.ts'

const library = 'packages/mcp/src/'

const chain = ['wire', 'schema', 'rpc', 'model', 'dialects'] as const
const sides = ['server', 'client', 'transports'] as const
const below = [...chain, 'stores', 'auth']

/** What each layer may import besides itself; a file directly in `src/` is an entry and may import every layer. */
const mayImport: { readonly [layer: string]: readonly string[] } = {
  wire: [],
  schema: chain.slice(0, 1),
  rpc: chain.slice(0, 2),
  model: chain.slice(0, 3),
  dialects: chain.slice(0, 4),
  stores: ['wire'],
  auth: ['wire', 'stores', 'rpc'],
  server: below,
  client: below,
  transports: below,
  testing: [...below, ...sides],
  extensions: [...below, ...sides],
  entry: [...below, ...sides, 'testing', 'extensions'],
}

/** What the parts of a layer may import of it besides themselves; both sides of authorization stand alone. */
const mayShare: { readonly [layer: string]: { readonly [part: string]: readonly string[] } } = {
  auth: { shared: [], client: ['shared'], resource: ['shared'], node: ['shared'], 'dev-server': ['shared'] },
}

/** The packages a layer may import; each is loaded only by programs that use what it is for. */
const mayUse: { readonly [layer: string]: readonly string[] } = {
  auth: ['jose', 'oauth4webapi'],
  transports: ['ws', 'undici'],
  extensions: ['@opentelemetry/api'],
}

/** Finds the imports of the library that no layer may have. */
export function checkLayers(files: readonly File[]): Problem[] {
  return [...readGraph(files)]
    .filter(([path]) => path.startsWith(library))
    .flatMap(([path, edges]) => edges.flatMap((edge) => [...checkEdge(path, edge), ...checkPart(path, edge)]))
}

function checkEdge(path: string, { specifier, targets, line }: Edge): Problem[] {
  if (specifier.startsWith('node:')) return []
  const layer = layerOf(path)
  if (targets.length === 0) {
    if (mayUse[layer]?.includes(specifier)) return []
    return [{ path, line, message: `Cannot import "${specifier}": ${layer} depends on no such package` }]
  }
  const allowed = mayImport[layer]
  if (allowed === undefined) return [{ path, line, message: `Cannot place "${layer}/": no layer has that name` }]
  return targets
    .map(layerOf)
    .filter((target) => target !== layer && !allowed.includes(target))
    .map((target) => ({ path, line, message: `Cannot import "${specifier}": ${layer} may not import ${target}` }))
}

function checkPart(path: string, { specifier, targets, line }: Edge): Problem[] {
  const part = partOf(path)
  const allowed = mayShare[layerOf(path)]?.[part]
  // what a runtime brings is imported by a name of the package, and is nobody's part
  if (allowed === undefined || specifier.startsWith('#')) return []
  return targets
    .filter((target) => layerOf(target) === layerOf(path))
    .map(partOf)
    .filter((target) => target !== part && !allowed.includes(target))
    .map((target) => ({ path, line, message: `Cannot import "${specifier}": ${part} may not import ${target}` }))
}

function layerOf(path: string): string {
  if (!path.startsWith(library)) return 'what lies outside the library'
  const [folder, ...rest] = path.slice(library.length).split('/')
  return rest.length === 0 ? 'entry' : (folder ?? '')
}

function partOf(path: string): string {
  return path.slice(library.length).split('/')[1] ?? ''
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/package.json')
  report(checkLayers(files), `${files.length} files read, every import points leftward`)
}
