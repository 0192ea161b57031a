/** Fails when an entry that must run in browsers and Workers can reach a `node:` module, or any but its own the SQLite store. */
import { type File, packageSources, readFiles } from './lib/files.ts'
import { type Graph, readGraph } from './lib/graph.ts'
import { type Problem, report } from './lib/problem.ts'

const sources = 'packages/mcp/src/'
const names = ['index', 'server', 'client', 'http', 'auth', 'tasks', 'skills', 'apps']
const entries = names.map((name) => `${sources}${name}.ts`)
const sqliteEntry = `${sources}sqlite.ts`

/** Finds `node:` imports in the files that a bundler for another platform would take in. */
export function checkPortable(files: readonly File[]): Problem[] {
  const graph = readGraph(files)
  const missing = entries.filter((path) => !graph.has(path))
  return [
    ...missing.map((path) => ({ path, message: 'Cannot follow the imports of this entry: no such file' })),
    ...[...trails(graph, entries)].flatMap(([path, trail]) => nodeImports(graph, path, trail)),
    ...sqliteReached(graph),
  ]
}

/** Finds the entries that would load the SQLite store into programs that did not ask for it. */
function sqliteReached(graph: Graph): Problem[] {
  const others = [...graph.keys()].filter(
    (path) => path.startsWith(sources) && !path.slice(sources.length).includes('/') && path !== sqliteEntry,
  )
  return [...trails(graph, others)]
    .filter(([path]) => path.startsWith(`${sources}stores/sqlite/`))
    .map(([path, trail]) => ({
      path,
      message: `Cannot load "node:sqlite" here: only ${sqliteEntry} may, and this is reached by ${trail.join(' > ')}`,
    }))
}

function nodeImports(graph: Graph, path: string, trail: readonly string[]): Problem[] {
  return (graph.get(path) ?? [])
    .filter(({ specifier }) => specifier.startsWith('node:'))
    .map(({ specifier, line }) => ({
      path,
      line,
      message: `Cannot import "${specifier}": browsers reach this file by ${trail.join(' > ')}`,
    }))
}

/** Every file that one of these loads, with the files that lead to it. */
function trails(graph: Graph, first: readonly string[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>(first.map((path) => [path, [path]]))
  // a map visits what is added to it during the loop
  for (const [path, trail] of found) {
    const loaded = (graph.get(path) ?? []).filter(({ kind }) => kind !== 'type').flatMap(({ portable }) => portable)
    for (const target of loaded) if (!found.has(target)) found.set(target, [...trail, target])
  }
  return found
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/package.json')
  report(checkPortable(files), `${entries.length} entries reach no Node module, and one the SQLite store`)
}
