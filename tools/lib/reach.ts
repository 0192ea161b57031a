import { posix } from 'node:path'
import type { File } from './files.ts'
import { pathsOf, readManifests } from './manifest.ts'
import { readImports } from './modules.ts'
import { tokenize } from './tokens.ts'

/** Files of the repository that each file uses: imports at run time, and files named in a string. */
export interface Uses {
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>
  /** Programs that it starts, fixtures, schemas and documents that it reads. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads what the sources and tests among some files use; imports of types do not count, since they do not run. */
export function readUses(files: readonly File[]): Uses {
  const tree = new Tree(files)
  const sources = files.filter(({ path }) => /\.(?:tsx?|js|mjs)$/.test(path))
  const read = (find: (file: File) => readonly string[]) =>
    new Map(sources.map((file) => [file.path, new Set(find(file))]))
  return {
    imports: read((file) => importedBy(file, tree)),
    names: read((file) => (startsOrReads.test(file.path) ? namedBy(file, tree) : [])),
  }
}

/** The files whose strings may name others: tests with what stands beside them, and launchers. */
const startsOrReads = /\.test\.ts$|\/test\/|\/bin\/|^tools\/|^bench\/|^runtimes\//

/** Everything that a file leads to, itself included. */
export function reachOf(start: string, ...edges: readonly ReadonlyMap<string, ReadonlySet<string>>[]): Set<string> {
  const reached = new Set([start])
  // a set that grows while it is walked is walked to its new end
  for (const path of reached) for (const next of edges) for (const target of next.get(path) ?? []) reached.add(target)
  return reached
}

/** The files by path, and the packages among them. */
class Tree {
  readonly paths: ReadonlySet<string>
  readonly byFolder = new Map<string, string[]>()
  readonly byName = new Map<string, string[]>()
  readonly packages: ReturnType<typeof readManifests>

  constructor(files: readonly File[]) {
    this.paths = new Set(files.map(({ path }) => path))
    this.packages = readManifests(files)
    for (const { path } of files) {
      add(this.byName, posix.basename(path), path)
      for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder))
        add(this.byFolder, folder, path)
    }
  }
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

function importedBy({ path, text }: File, tree: Tree): readonly string[] {
  return readImports(text)
    .filter(({ kind }) => kind !== 'type')
    .flatMap(({ specifier }) => resolved(specifier, path, tree))
    .filter((target) => tree.paths.has(target))
}

function resolved(specifier: string, from: string, { packages }: Tree): readonly string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(from), specifier)]
  const owner = specifier.startsWith('#')
    ? packages.find(({ folder, manifest }) => from.startsWith(`${folder}/`) && manifest.imports)
    : packages.find(({ manifest }) => specifier === manifest.name || specifier.startsWith(`${manifest.name}/`))
  if (!owner) return []
  const { folder, manifest } = owner
  const entry = `.${specifier.slice(manifest.name.length)}`
  const target = specifier.startsWith('#') ? manifest.imports?.[specifier] : manifest.exports?.[entry]
  if (target === undefined) return []
  return pathsOf(target).flatMap((one) =>
    one.startsWith('.') ? [posix.join(folder, one)] : resolved(one, from, { packages } as Tree),
  )
}

/**
 * The files that the strings of a source may mean: a path from its folder or from the root, the end of a path within its
 * package, or a folder beside it, which stands for all that is in it.
 */
function namedBy({ path, text }: File, tree: Tree): readonly string[] {
  const strings = tokenize(text)
    .filter(({ kind }) => kind === 'string' || kind === 'template')
    .flatMap(({ text: quoted }) => quoted.slice(1, -1).split(/\$\{[^}]*\}/))
  return [...new Set(strings)].flatMap((one) => meant(one.replace(/^\/+|\/+$/g, ''), path, tree))
}

function meant(text: string, from: string, tree: Tree): readonly string[] {
  if (text === '' || text.length > 200 || /\s/.test(text)) return []
  const beside = posix.join(posix.dirname(from), text)
  const whole = [beside, posix.normalize(text)].filter((path) => tree.paths.has(path))
  if (whole.length > 0) return whole
  if (/\w/.test(text) && tree.byFolder.has(beside)) return tree.byFolder.get(beside) ?? []
  const named = tree.byName.get(posix.basename(text)) ?? []
  return named.filter(
    (path) => /\.\w+$/.test(text) && (path.endsWith(`/${text.replace(/^(?:\.\.?\/)+/, '')}`) || path === text),
  )
}
