import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'

/** A file of the repository. */
export interface File {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** The folder that holds the workspace. */
export const root = resolve(import.meta.dirname, '../..')

/** Everything that ships, tests included: the sources of every package. */
export const packageSources = 'packages/**/src/**/*.{ts,tsx}'

/** Reads the files of the repository that match, sorted by path; nothing installed or built is among them. */
export function readFiles(...patterns: string[]): File[] {
  const paths = matching(patterns)
  // a check that reads nothing would always pass
  if (paths.length === 0) throw new Error(`Cannot read "${patterns.join('", "')}": no file matches`)
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Paths of the repository that match; each path is compared once, which takes a tenth of what a glob of them all takes. */
function matching(patterns: readonly string[]): string[] {
  const plain = new Set(patterns.filter((pattern) => !/[*?{}[\]()!]/.test(pattern)))
  const globs = patterns.filter((pattern) => !plain.has(pattern))
  return pathsIn('').filter((path) => plain.has(path) || globs.some((glob) => matchesGlob(path, glob)))
}

const unread = new Set(['.git', '.cache', 'node_modules', 'dist'])

/** Paths of the files in a folder and below it. */
function pathsIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !unread.has(name))
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? pathsIn(path) : [path]
  })
}

/** True if a path belongs to tests; those may break the rules that sources keep. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/test/')
}
