import { parse, relative, resolve } from 'node:path'

/**
 * The directory that may be served to callers while nothing is configured; undefined for one that holds more than a
 * project: the root of a disk, the home directory, and the folders above it.
 */
export function defaultFolder(directory: string, home: string): string | undefined {
  const path = resolve(directory)
  const isRoot = parse(path).root === path
  const way = relative(path, resolve(home))
  const holdsHome = way === '' || (!way.startsWith('..') && parse(way).root === '')
  return isRoot || holdsHome ? undefined : path
}
