import { lstatSync, readlinkSync } from 'node:fs'

/** Links that are followed for one path, as in Linux. */
const maxLinks = 40
/** Characters of a path that a file system takes; longer text names no file. */
export const maxPathLength = 4_096

/** Places that are another one for each process, or that reach files by number. */
const perProcess = /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/(?:fd|stdin|stdout|stderr)|\.vol)(?:\/|$)/

/**
 * The place that an absolute path leads to on this machine, as the system would walk it: existing links are followed,
 * and missing parts stay as they are. Undefined if that is another place for another process, or cannot be found out.
 */
export function followLinks(path: string): string | undefined {
  if (path.length > maxPathLength) return undefined
  const left = path.split('/').reverse()
  let place = ''
  let missing: string | undefined
  let links = 0
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      place = place.slice(0, Math.max(0, place.lastIndexOf('/')))
      if (missing !== undefined && place.length < missing.length) missing = undefined
      continue
    }
    const next = `${place}/${name}`
    if (perProcess.test(next)) return undefined
    // a missing folder is empty
    const target = missing === undefined ? linkAt(next) : 'missing'
    if (target === 'unreadable') return undefined
    if (target === 'missing') missing ??= next
    if (typeof target === 'string') {
      place = next
      continue
    }
    links += 1
    if (links > maxLinks) return undefined
    left.push(...target.leadsTo.split('/').reverse())
    if (target.leadsTo.startsWith('/')) place = ''
  }
  return place === '' ? '/' : place
}

function linkAt(path: string): { readonly leadsTo: string } | 'no link' | 'missing' | 'unreadable' {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return 'missing'
    return found.isSymbolicLink() ? { leadsTo: readlinkSync(path) } : 'no link'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? 'missing' : 'unreadable'
  }
}
