import { homedir } from 'node:os'
import { posix } from 'node:path'
import { globsMeet, matchesGlob } from '@trunkline/base/glob'
import { followLinks, maxPathLength } from './follow-links.ts'
import { isPlainPath, pathOfFile, spellingsOf, withWildcards } from './paths.ts'

/** A pattern of paths: `/tmp/**`, `src/*.ts`. */
export interface PathPattern {
  readonly kind: 'path'
  readonly glob: string
}

/** Folders in which a server may look for a relative path. */
export interface PathFolders {
  /** Folders that it certainly uses; empty where its files are not those of this machine. */
  readonly own: readonly string[]
  /** Folders that a caller may mean besides. */
  readonly besides: readonly string[]
}

/** Reads a pattern; `~/` is the home directory of the user that the host runs as. */
export function pathPattern(text: string): PathPattern {
  const glob = text.startsWith('~/') ? homedir() + text.slice(1) : text
  const literal = literalFolder(glob)
  return { kind: 'path', glob: (literal && posix.normalize(literal)) + glob.slice(literal.length) }
}

/** True if a path has one reading, and lies with all links followed where a pattern says. */
export function surelyInside({ glob }: PathPattern, value: string, { own }: PathFolders): boolean {
  const path = pathOfFile(value)
  if (!isPlainPath(path)) return false
  // without the file system, a path can only be compared as it is written
  if (own.length === 0) return path.startsWith('/') === glob.startsWith('/') && matchesGlob(glob, path)
  return own.every((folder) => {
    const place = followLinks(inFolder(folder, path))
    const pattern = followedPattern(inFolder(folder, glob))
    return place !== undefined && pattern !== undefined && matchesGlob(pattern, place)
  })
}

/** True if a path could lie where a pattern says under any reading of it; an unreadable one could. */
export function mayBeInside({ glob }: PathPattern, value: string, { own, besides }: PathFolders): boolean {
  const globs = [...new Set([glob, ...own.map((folder) => inFolder(folder, glob))])]
  const denied = { globs, isHere: own.length > 0 }
  return spellingsOf(value).some((path) => {
    if (fits(glob, path)) return true
    const wild = withWildcards(path)
    if (wild !== undefined && meets(glob, wild)) return true
    if (path.startsWith('/')) return mayLead(path, denied)
    if (own.length === 0 && meets(glob, anywhere(path))) return true
    return [...own, ...besides].some((folder) => mayLead(inFolder(folder, path), denied))
  })
}

interface DeniedPlace {
  readonly globs: readonly string[]
  /** True if links can be followed. */
  readonly isHere: boolean
}

function mayLead(path: string, { globs, isHere }: DeniedPlace): boolean {
  const wild = withWildcards(path)
  const normal = posix.normalize(path)
  if (globs.some((glob) => fits(glob, normal) || (wild !== undefined && meets(glob, wild)))) return true
  return isHere && leadsInto(globs, [...new Set([path, normal])])
}

/** True if a path leads to where a pattern does, walked by the system or shortened first. */
function leadsInto(globs: readonly string[], paths: readonly string[]): boolean {
  const places = paths.filter(({ length }) => length <= maxPathLength).map(followLinks)
  if (places.includes(undefined)) return true
  const found = new Set(places as readonly string[])
  return globs.some((glob) => {
    const pattern = (glob.startsWith('/') ? followedPattern(glob) : undefined) ?? glob
    return [...found].some((place) => fits(pattern, place) || fits(glob, place))
  })
}

function inFolder(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder === '/' ? '' : folder}/${path}`
}

/** A relative path in an unknown folder; one that climbs may lead anywhere. */
function anywhere(path: string): string {
  const rest = posix.normalize(path).replace(/^(?:\.\.\/)+/, '')
  return `/**/${rest}`
}

/** The part of a pattern before its first segment with a wildcard, as far as the slash. */
export function literalFolder(glob: string): string {
  const at = glob.indexOf('*')
  return at < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', at) + 1)
}

/** A pattern whose folder was followed, as the paths are that it is compared with. */
function followedPattern(glob: string): string | undefined {
  const literal = literalFolder(glob)
  if (literal === '' || literal === '/') return glob
  const place = followLinks(literal)
  if (place === undefined) return undefined
  return literal.endsWith('/') && literal.length < glob.length
    ? `${place === '/' ? '' : place}/${glob.slice(literal.length)}`
    : place
}

/**
 * True if a path fits a pattern on some file system. It may not tell upper from lower case, or composed from decomposed
 * letters, and a rule that forbids must hold there too; a pattern of a folder's content covers the folder itself.
 */
export function fits(glob: string, path: string): boolean {
  const pattern = folded(glob)
  const text = folded(path)
  return matchesGlob(pattern, text) || matchesGlob(pattern, text.endsWith('/') ? text.slice(0, -1) : `${text}/`)
}

/** True if some path fits both patterns on some file system. */
export function meets(glob: string, wild: string): boolean {
  return globsMeet(folded(glob), folded(wild))
}

function folded(text: string): string {
  // upper case last: two small letters of Greek have one large one
  return text.normalize('NFC').toLowerCase().toUpperCase()
}
