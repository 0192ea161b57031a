import { execFileSync } from 'node:child_process'
import { reachOf, type Uses } from '../lib/reach.ts'

/** The test files that a change may affect; `why` is set where it cannot be told, and then all of them are. */
export interface Picked {
  readonly files: readonly string[]
  readonly why?: string
}

/** Documents that no test names are read by the checks alone, which run in any case. */
const documents = /\.(?:md|svg|webp|png)$|^LICENSE$|^\.gitignore$/

/**
 * Picks the test files that changed, or that lead to a changed file by imports, by a program that they start, or by the
 * name of a fixture, schema or document. A changed file that no test leads to runs all of them.
 */
export function pickSince(changed: readonly string[], tests: readonly string[], { imports, names }: Uses): Picked {
  const reaches = new Map(tests.map((test) => [test, reachOf(test, imports, names)]))
  const picked = new Set<string>()
  for (const path of changed) {
    const found = tests.filter((test) => reaches.get(test)?.has(path))
    for (const test of found) picked.add(test)
    if (found.length === 0 && !documents.test(path) && !path.endsWith('.test.ts'))
      return { files: tests, why: `no test is known to lead to ${path}` }
  }
  return { files: tests.filter((test) => picked.has(test)) }
}

/** The files that differ from a revision, new and removed ones included. */
export function changedSince(revision: string, cwd: string): readonly string[] {
  const git = (...args: readonly string[]): string[] => {
    try {
      return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).split('\0')
    } catch (error) {
      const said = String((error as { stderr?: unknown }).stderr ?? error).trim()
      throw new Error(`Cannot tell what changed since "${revision}": ${said}`)
    }
  }
  const differing = git('diff', '--name-only', '--no-renames', '-z', revision, '--')
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set([...differing, ...untracked])].filter((path) => path !== '').sort()
}
