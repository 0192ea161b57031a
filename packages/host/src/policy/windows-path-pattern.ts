import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { matchesGlob } from '@trunkline/base/glob'
import {
  fits,
  literalFolder,
  mayBeInside,
  meets,
  type PathFolders,
  type PathPattern,
  pathPattern,
  surelyInside,
} from './path-pattern.ts'
import { pathOfFile } from './paths.ts'
import {
  cleanPlace,
  hasShortName,
  isPlainWindowsPath,
  isWindowsPath,
  pathOfPlace,
  windowsPlace,
  windowsReadings,
  withoutShortNames,
} from './windows-paths.ts'

/** A pattern of paths of Windows: `C:\Users\ann\**`, and on Windows also `src/*.ts`. */
export interface WindowsPathPattern {
  readonly kind: 'windows-path'
  /** With a place for its folder, see {@link windowsPlace}. */
  readonly glob: string
  /** The pattern for servers elsewhere, which may run on another system; missing where it has a drive or a share. */
  readonly elsewhere?: PathPattern
}

/** Files of a machine with Windows. */
export interface WindowsFiles {
  /** The path that a path leads to, in full names and their case; undefined if nothing is there. Throws if it cannot be found out. */
  realPath(path: string): string | undefined
}

const filesHere: WindowsFiles | undefined = process.platform === 'win32' ? { realPath } : undefined

/** Start of places on whatever drive. */
const anyDrive = '/*:'

/** Reads a pattern; `~\` is the home directory of the user that the host runs as. */
export function windowsPathPattern(text: string, home = homedir()): WindowsPathPattern {
  const path = /^~[\\/]/.test(text) ? home + text.slice(1) : text
  // a root without a drive is that of every drive
  const glob = windowsPlace(path).replace(/^\/+(?![a-z]:|unc:)/, `${anyDrive}/`)
  const literal = literalFolder(glob)
  const isFolder = literal.endsWith('/')
  const rest = glob.slice(literal.length)
  return {
    kind: 'windows-path',
    glob: `${lexical(literal)}${isFolder && rest !== '' ? '/' : ''}${rest}`,
    ...(!isWindowsPath(path) && { elsewhere: pathPattern(path.replaceAll('\\', '/')) }),
  }
}

/** True if a path has one reading, and lies with all links followed where a pattern says. */
export function surelyInsideWindows(
  { glob, elsewhere }: WindowsPathPattern,
  value: string,
  folders: PathFolders,
  files = filesHere,
): boolean {
  const { own } = folders
  if (own.length === 0 && elsewhere && surelyInside(elsewhere, value, folders)) return true
  const path = pathOfFile(value)
  if (!isPlainWindowsPath(path)) return false
  const place = windowsPlace(path)
  if (own.length === 0 || files === undefined)
    return place.startsWith('/') === glob.startsWith('/') && !hasShortName(place) && matchesGlob(glob, place)
  return own.every((folder) => {
    const found = followed(inFolder(folder, place), files)
    const pattern = followedPattern(inFolder(folder, glob), files)
    return found !== undefined && pattern !== undefined && !hasShortName(found) && matchesGlob(pattern, found)
  })
}

/** True if a path could lie where a pattern says under any reading of it; an unreadable one could. */
export function mayBeInsideWindows(
  { glob, elsewhere }: WindowsPathPattern,
  value: string,
  { own, besides }: PathFolders,
  files = filesHere,
): boolean {
  if (own.length === 0 && elsewhere && mayBeInside(elsewhere, value, { own, besides })) return true
  const globs = [...new Set([glob, ...own.map((folder) => inFolder(folder, glob))])].map(cleanPlace)
  const denied = files && own.length > 0 ? { globs, files } : { globs }
  const inFolders = (reading: string) =>
    [...own, ...besides].some((folder) => mayLead(inFolder(folder, reading), denied))
  return windowsReadings(value).some((reading) => {
    if (reading.startsWith('/')) return mayLead(reading, denied) || (reading.startsWith(anyDrive) && inFolders(reading))
    const place = cleanPlace(reading)
    if (globs.some((one) => mayFit(one, place))) return true
    return (own.length === 0 && mayLead(anywhere(place), denied)) || inFolders(reading)
  })
}

/** A relative place in an unknown folder. */
function anywhere(place: string): string {
  return `/**/${place.replace(/^(?:\.\.(?:\/|$))+/, '')}`
}

interface DeniedPlace {
  readonly globs: readonly string[]
  /** Files, if links can be followed. */
  readonly files?: WindowsFiles
}

function mayLead(reading: string, { globs, files }: DeniedPlace): boolean {
  const place = cleanPlace(reading)
  if (files === undefined || place.includes('*')) return globs.some((glob) => mayFit(glob, place))
  if (globs.some((glob) => fits(glob, place))) return true
  // Windows shortens a path first; programs of other systems on it walk it
  const found = new Set([followed(place, files), followed(reading, files)])
  if (found.has(undefined)) return true
  const patterns = globs.map((glob) => (glob.startsWith('/') ? followedPattern(glob, files) : glob) ?? glob)
  return [...found].some((one) => [...globs, ...patterns].some((glob) => mayFit(glob, cleanPlace(one ?? ''))))
}

function mayFit(glob: string, place: string): boolean {
  const [pattern, wild] = [withoutShortNames(glob), withoutShortNames(place)]
  if (!wild.includes('*')) return fits(pattern, wild)
  return meets(pattern, wild) || meets(pattern, `${wild}/`)
}

/** A place in a folder; one without a drive is at the root of the drive or share of the folder. */
function inFolder(folder: string, place: string): string {
  const start = windowsPlace(folder).replace(/\/$/, '')
  if (!place.startsWith('/')) return `${start}/${place}`
  if (!place.startsWith(anyDrive)) return place
  return (/^\/(?:[a-z]:|unc:\/[^/]*\/[^/]*)/.exec(start)?.[0] ?? start) + place.slice(anyDrive.length)
}

/** A place with all links followed; names of what is not there stay. Undefined if that cannot be found out. */
function followed(place: string, files: WindowsFiles): string | undefined {
  const names = place.split('/').filter((name, at) => at === 0 || (name !== '' && name !== '.'))
  const climbs = names.indexOf('..')
  if (climbs < 0) return realPlace(names.join('/'), files)
  const before = realPlace(names.slice(0, climbs).join('/'), files)
  if (before === undefined) return undefined
  const parent = before.split('/').length > 2 ? before.slice(0, before.lastIndexOf('/')) : before
  return followed([parent, ...names.slice(climbs + 1)].join('/'), files)
}

function realPlace(place: string, files: WindowsFiles): string | undefined {
  try {
    for (let folder = place; ; folder = folder.slice(0, folder.lastIndexOf('/'))) {
      const real = files.realPath(pathOfPlace(folder))
      if (real !== undefined) return windowsPlace(real).replace(/\/$/, '') + place.slice(folder.length)
      if (folder.split('/').length <= 2) return place
    }
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** A pattern whose folder was followed, as the paths are that it is compared with. */
function followedPattern(glob: string, files: WindowsFiles): string | undefined {
  const literal = literalFolder(glob)
  if (!/^\/(?:[a-z]|unc):/.test(literal)) return glob
  const place = followed(literal.replace(/\/$/, ''), files)
  if (place === undefined) return undefined
  return literal.endsWith('/') ? `${place}/${glob.slice(literal.length)}` : place
}

/** A folder without dots, all else as it is written. */
function lexical(literal: string): string {
  const names: string[] = []
  for (const [at, name] of literal.split('/').entries()) {
    if (name === '..' && names.length > 2) names.pop()
    else if (at === 0 || (name !== '' && name !== '.')) names.push(name)
  }
  return names.join('/')
}
