import { isServerName, slugOf } from '../../act/server-name.ts'
import { type Document, isTable, keyOf, type Path, type Table, type Value } from '../document/document.ts'
import type { ConfigProblem } from '../problem.ts'
import { settings } from '../schema/settings.ts'
import { leaves } from './leaves.ts'
import { refusedInProject } from './tighten.ts'

/** Sources of settings, from the weakest to the strongest. */
export const layerNames = ['user', 'project', 'local', 'environment', 'flags'] as const

export type LayerName = (typeof layerNames)[number]

/** Place of a setting. */
export interface Place {
  readonly layer: LayerName
  /** A file, or its substitute: the environment, the command line. */
  readonly file: string
  readonly line: number
}

/** The settings of one layer, checked: bad values are left out and named. */
export interface Layer {
  readonly name: LayerName
  readonly file: string
  readonly value: Table
  readonly problems: readonly ConfigProblem[]
  /** True if it was taken from a broken text, so that something may be missing. */
  readonly isPartial: boolean
  /** Problems of servers, which are not started before these are mended. */
  readonly brokenServers: ReadonlyMap<string, readonly ConfigProblem[]>
  /** Settings that it may not set, since it is that of a project; they are left out. */
  readonly refused: readonly RefusedSetting[]
  /** The settings as versions read them that refused none, by which a file was accepted then. */
  readonly former: Table
  placeOf(path: Path): Place
}

/** A setting that a project cannot set, with the reason. */
export interface RefusedSetting {
  readonly path: Path
  readonly problem: string
  readonly fix: string
}

/** Checks a document as one layer. */
export function readLayer(name: LayerName, document: Document): Layer {
  const { file } = document
  const problems = [...document.problems]
  const broken = new Map<string, ConfigProblem[]>()
  const misfits: Path[] = []
  settings.check(document.value, [], ({ at, problem, fix, harmless = false }) => {
    const found = { file, line: document.lineOf(at), key: keyOf(at), problem, fix }
    problems.push(found)
    misfits.push(at)
    const [top, server] = at
    if (top !== 'mcpServers' || typeof server !== 'string' || harmless) return
    broken.set(slugOf(server), [...(broken.get(slugOf(server)) ?? []), found])
  })
  const { value: legal, original } = withLegalNames(without(document.value, misfits), document, problems)
  const placeOf = (path: Path) => ({ layer: name, file, line: document.lineOf(originalPath(path, original)) })
  const refused = name === 'project' || name === 'local' ? refusedIn(legal) : []
  const value = refused.reduce((kept, { path }) => removedAt(kept, path), legal)
  return { name, file, value, problems, isPartial: false, brokenServers: broken, refused, former: legal, placeOf }
}

function refusedIn(value: Table): readonly RefusedSetting[] {
  return leaves(value).flatMap(({ path, value: one }) => {
    const why = refusedInProject(path, one)
    return why ? [{ path, ...why }] : []
  })
}

/** A table without a setting, and without the tables that held nothing else. */
function removedAt(table: Table, [key = '', ...rest]: Path): Table {
  const { [key]: inner, ...others } = table
  const left = rest.length > 0 && isTable(inner) ? removedAt(inner, rest) : {}
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left }
}

/** A copy of a value without the members at some paths. */
function without(value: Value, paths: readonly Path[], at: Path = []): Table {
  const kept = prune(value, paths, at)
  return isTable(kept) ? kept : {}
}

function prune(value: Value, paths: readonly Path[], at: Path): Value | undefined {
  if (paths.some((path) => path.length === at.length && path.every((part, index) => part === at[index])))
    return undefined
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const kept = prune(item, paths, [...at, index])
      return kept === undefined ? [] : [kept]
    })
  }
  if (!isTable(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const kept = prune(inner, paths, [...at, key])
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return Object.fromEntries(entries)
}

/** Server names are slugs; another name is turned into one, with a problem that says so. */
function withLegalNames(value: Table, document: Document, problems: ConfigProblem[]) {
  const original = new Map<string, string>()
  const { mcpServers } = value
  if (!isTable(mcpServers)) return { value, original }
  const servers = Object.entries(mcpServers).flatMap(([name, entry]) => {
    const slug = slugOf(name)
    const at = ['mcpServers', name]
    const report = (problem: string, fix: string) =>
      problems.push({ file: document.file, line: document.lineOf(at), key: keyOf(at), problem, fix })
    if (original.has(slug)) {
      report(`has the same name as "${original.get(slug)}"`, 'give it another one')
      return []
    }
    if (!isServerName(name)) report(`is used as "${slug}"`, `name it so: a to z, 0 to 9 and -`)
    original.set(slug, name)
    return [[slug, entry] as const]
  })
  return { value: { ...value, mcpServers: Object.fromEntries(servers) }, original }
}

function originalPath([top, server, ...rest]: Path, original: ReadonlyMap<string, string>): Path {
  const parts = [
    top,
    typeof server === 'string' && top === 'mcpServers' ? (original.get(server) ?? server) : server,
    ...rest,
  ]
  return parts.filter((part) => part !== undefined)
}
