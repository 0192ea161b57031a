/** Fails on source files that import each other in a circle; imports of types count too. */
import { type File, packageSources, readFiles } from './lib/files.ts'
import { type Graph, readGraph } from './lib/graph.ts'
import { type Problem, report } from './lib/problem.ts'

/** Finds the circles of imports among sources, each reported once. */
export function checkCycles(files: readonly File[]): Problem[] {
  const graph = readGraph(files)
  const done = new Set<string>()
  return [...graph.keys()].flatMap((path) => circlesFrom(path, { graph, done, trail: [] }))
}

interface Walk {
  readonly graph: Graph
  readonly done: Set<string>
  readonly trail: readonly string[]
}

function circlesFrom(path: string, { graph, done, trail }: Walk): Problem[] {
  const start = trail.indexOf(path)
  if (start >= 0) return [{ path, message: `Imports itself: ${[...trail.slice(start), path].join(' > ')}` }]
  if (done.has(path)) return []
  const loaded = (graph.get(path) ?? []).filter(({ kind }) => kind !== 'dynamic').flatMap(({ targets }) => targets)
  const circles = loaded.flatMap((target) => circlesFrom(target, { graph, done, trail: [...trail, path] }))
  done.add(path)
  return circles
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/package.json')
  report(checkCycles(files), `${files.length} files read, no circle of imports`)
}
