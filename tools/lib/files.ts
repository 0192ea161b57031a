import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

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
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  // a check that reads nothing would always pass
  if (paths.length === 0) throw new Error(`Cannot read "${patterns.join('", "')}": no file matches`)
  return [...new Set(paths.map((path) => path.replaceAll('\\', '/')))]
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** True if a path belongs to tests; those may break the rules that sources keep. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/test/')
}
