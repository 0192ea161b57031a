/** Fails on an exported name that is declared twice: a search for a name has to find one thing. */
import { posix } from 'node:path'
import { type File, isTest, packageSources, readFiles } from './lib/files.ts'
import { pathsOf, readManifests } from './lib/manifest.ts'
import { readExports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

const glossaryPage = 'docs/architecture/library.md'
const sharedList = 'tools/shared-names.txt'
const library = 'packages/mcp'

/** Names to compare with. */
export interface KnownNames {
  /** The names of the glossary, which belong to the library alone. */
  readonly glossary: readonly string[]
  /** The names that more than one package declares; the list may only become shorter. */
  readonly shared: readonly string[]
}

interface Declaration {
  readonly name: string
  readonly path: string
}

/** Finds the names that two files of a package declare, or two packages; a re-export declares nothing. */
export function checkNames(files: readonly File[], { glossary, shared }: KnownNames): Problem[] {
  const byName = new Map<string, Declaration[]>()
  for (const one of declarationsIn(files)) byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  const all = [...byName.values()]
  const allowed = new Set([...glossary, ...shared])
  return [
    ...all.flatMap(twiceInPackage),
    ...all.flatMap((those) => (allowed.has(those[0]?.name ?? '') ? [] : inTwoPackages(those))),
    ...glossary.flatMap((name) => outsideLibrary(byName.get(name) ?? [])),
    ...shared.filter((name) => packagesOf(byName.get(name) ?? []).size < 2).map(noLongerShared),
  ]
}

function twiceInPackage(declarations: readonly Declaration[]): Problem[] {
  return declarations.flatMap((one, at) => {
    const before = declarations.slice(0, at).find(({ path }) => packageOf(path) === packageOf(one.path))
    return before ? [another(one, before)] : []
  })
}

function inTwoPackages(declarations: readonly Declaration[]): Problem[] {
  const [first, ...rest] = declarations
  const other = rest.find(({ path }) => first && packageOf(path) !== packageOf(first.path))
  return first && other ? [another(other, first)] : []
}

function outsideLibrary(declarations: readonly Declaration[]): Problem[] {
  return declarations
    .filter(({ path }) => packageOf(path) !== library)
    .map(({ name, path }) => ({
      path,
      message: `Cannot declare "${name}": the glossary of ${glossaryPage} has that name for something in the library`,
    }))
}

function another({ name, path }: Declaration, before: Declaration): Problem {
  return { path, message: `Cannot declare "${name}": "${before.path}" exports another thing of that name; rename one` }
}

function noLongerShared(name: string): Problem {
  return { path: sharedList, message: `Remove "${name}": fewer than two packages declare it now` }
}

function declarationsIn(files: readonly File[]): Declaration[] {
  const standIns = standInsOf(files)
  return files
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path) && !standIns.has(path))
    .flatMap(({ path, text }) => declaredIn(text).map((name) => ({ name, path })))
}

function packageOf(path: string): string {
  return path.slice(0, path.indexOf('/src/'))
}

function packagesOf(declarations: readonly Declaration[]): ReadonlySet<string> {
  return new Set(declarations.map(({ path }) => packageOf(path)))
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

/** The names in the first column of the glossary. */
export function glossaryIn(page: string): readonly string[] {
  return Array.from(page.matchAll(/^\| `([A-Z]\w*)` /gm), ([, name = '']) => name)
}

if (import.meta.main) {
  const files = readFiles(packageSources, 'packages/*/package.json')
  const [page, list] = readFiles(glossaryPage, sharedList)
  const shared = (list?.text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const known = { glossary: glossaryIn(page?.text ?? ''), shared }
  report(
    checkNames(files, known),
    `${files.length} files read, each package declares a name once; ${shared.length} names are in two`,
  )
}
