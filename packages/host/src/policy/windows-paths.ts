import { hostname } from 'node:os'
import { windowsProblem } from '@trunkline/base/windows-names'
import { spellingsOf, withWildcards } from './paths.ts'

/** True if a text is a path of Windows on whatever machine: `C:\x`, `c:/x`, `\\server\share`. */
export function isWindowsPath(text: string): boolean {
  return /^(?:[a-z]:(?:[\\/]|$)|\\\\)/i.test(text)
}

/**
 * A path of Windows as it is compared: `C:\x` is `/c:/x`, and `\\server\share\x` is `/unc:/server/share/x`. Slashes of
 * others are turned.
 */
export function windowsPlace(path: string): string {
  const slashed = path.replaceAll('\\', '/')
  const [, drive, rest = ''] = /^\/?([a-z]):(\/[\s\S]*)?$/i.exec(slashed) ?? []
  if (drive !== undefined) return `/${drive.toLowerCase()}:${rest}`
  const [, share, below = ''] = /^\/\/([^/]+\/[^/]+)([\s\S]*)$/.exec(slashed) ?? []
  return share === undefined ? slashed : `/unc:/${share.toLowerCase()}${below}`
}

/** The path that a place was made of, as Windows takes it. */
export function pathOfPlace(place: string): string {
  const path = place.replace(/^\/unc:/, '/').replace(/^\/([a-z]:)/, '$1')
  return (path.endsWith(':') ? `${path}/` : path).replaceAll('/', '\\')
}

/** True if a path of Windows can only mean what it says: no device, stream, climb, variable or folder of a drive. */
export function isPlainWindowsPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (path === '' || /[%*?[\]{}$`\u0000-\u001f\u007f]|^~|^\s|\s$/.test(path)) return false
  const place = windowsPlace(path)
  if (windowsProblem(path.replace(/^\/(?=[a-z]:)/i, '')) !== undefined || /^[a-z]:/i.test(place)) return false
  if (place.startsWith('/') && !/^\/(?:[a-z]|unc):/.test(place)) return false
  return !/\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(place)
}

/** True if a name in a path may be the short one of another file, such as `PROGRA~1`. */
export function hasShortName(place: string): boolean {
  return /~\d/.test(place)
}

/** A place in which each name that may be a short one stands for any. */
export function withoutShortNames(place: string): string {
  return hasShortName(place)
    ? place
        .split('/')
        .map((name) => (hasShortName(name) ? '*' : name))
        .join('/')
    : place
}

/**
 * A place without dots, streams, and the dots and spaces at the end of names that Windows leaves out; where they leave
 * nothing of a name, it may lead anywhere.
 */
export function cleanPlace(place: string): string {
  const names: string[] = []
  for (const [at, name] of place.split('/').entries()) {
    const isStart = at === 0 ? name === '' : at === 1 && /^\/(?:[a-z*]|unc):/i.test(place)
    if (isStart) names.push(name)
    else if (name === '..') climb(names)
    else if (name !== '' && name !== '.') enter(names, name)
  }
  return names.join('/')
}

function enter(names: string[], name: string): void {
  const bare = name.replace(/:[\s\S]*$/, '').replace(/[. ]+$/, '')
  if (bare === '') names.splice(0, names.length, '', '**')
  else names.push(bare)
}

/** Names of a place that is a drive, or a share: both are their own parents. */
const [driveLength, shareLength] = [2, 4]

/** Leaves a folder; a drive is its own parent, and out of an unknown number of folders the way leads anywhere. */
function climb(names: string[]): void {
  const last = names.at(-1)
  if (last === undefined || last === '..') names.push('..')
  else if (last.includes('**')) names.splice(0, names.length, '', '**')
  else if (names.length > (names[1] === 'unc:' ? shareLength : driveLength)) names.pop()
}

/**
 * Places that programs of Windows may take a value for, with a wildcard for each part that is not known. Relative ones
 * are left for the folders of the server.
 */
export function windowsReadings(value: string): readonly string[] {
  const spellings = spellingsOf(value).flatMap((text) => {
    const [, share] = /^\s*file:(\/\/[^/?#]+\/[^?#]*)/i.exec(text.replaceAll('\\', '/')) ?? []
    return share === undefined ? [text] : [text, share]
  })
  return [...new Set(spellings.flatMap((text) => readingsOf(text)))]
}

function readingsOf(text: string): readonly string[] {
  const slashed = text.replaceAll('\\', '/').replace(/^(\/*[a-z])\|/i, '$1:')
  const [, named] = /^(?:\/\/+[?.]|\/\?\?)\/+([\s\S]*)$/.exec(slashed) ?? []
  if (named !== undefined) return ofNamespace(named)
  const path = expanded(slashed)
  const [, drive, below] = /^\/*([a-z]):([\s\S]*)$/i.exec(path) ?? []
  if (drive !== undefined && below !== undefined) {
    const start = `/${drive.toLowerCase()}:`
    // without a slash it begins in a folder that the process has for the drive
    return [below.startsWith('/') ? start + below : `${start}/**/${below.replace(/^(?:\.\.?\/)*(?:\.\.?$)?/, '')}`]
  }
  if (path.startsWith('//')) return ofShare(path)
  return path.startsWith('/') ? [`/*:${path}`, `/unc:/*/*${path}`] : [path]
}

/** Readings of what stands behind `\\?\` or `\\.\`; volumes and disks hold everything. */
function ofNamespace(named: string): readonly string[] {
  if (/^[a-z]:/i.test(named)) return readingsOf(named)
  return /^unc\//i.test(named) ? readingsOf(`//${named.slice('unc/'.length)}`) : ['/**']
}

/** Readings of a share; one of this machine may be any of its folders, and `C$` is a drive. */
function ofShare(path: string): readonly string[] {
  const [, server = '', share = '', below = ''] = /^\/+([^/]*)\/*([^/]*)([\s\S]*)$/.exec(path) ?? []
  return [
    `/unc:/${server.toLowerCase()}/${share.toLowerCase()}${below}`,
    `/*:/${path.replace(/^\/+/, '')}`,
    ...(/^[a-z]\$$/i.test(share) ? [`/${share[0]?.toLowerCase()}:${below}`] : []),
    ...(isThisMachine(server) ? [`/**${below}`] : []),
  ]
}

/** True if a server may be this machine; every address in numbers may. */
function isThisMachine(server: string): boolean {
  const name = server.toLowerCase()
  if (/\*|^localhost$|\.ipv6-literal\.net$/.test(name) || !/[^\da-fx.:]/.test(name)) return true
  return name.split('.')[0] === hostname().toLowerCase().split('.')[0]
}

/** A path with a wildcard for each variable or pattern in it. */
function expanded(path: string): string {
  const text = path.replace(/%[^%/]*%|\$env:\w+|\$\{env:[^}]*\}|![^!/]+!/gi, '**').replace(/\*{3,}/g, '**')
  const wild = withWildcards(text) ?? text
  return wild.includes('*') && wild.endsWith('/..') ? '/**' : wild
}
