import type { Repository } from './repository.ts'

/** A file that differs between two sides. */
export interface ChangedFile {
  readonly path: string
  readonly change: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type changed' | 'unmerged'
  /** The path it had before. */
  readonly from?: string
  /** Lines; undefined for files that are no text. */
  readonly added?: number
  readonly removed?: number
}

/** Options of every comparison: no program of a repository takes part in it. */
export const comparing = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '-M'] as const

const kinds: { readonly [letter: string]: ChangedFile['change'] } = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
  U: 'unmerged',
}

/** The files that differ; `args` are a command of git and its sides, such as `diff-tree -r one other`. */
export async function readChanges(
  repository: Repository,
  args: readonly string[],
  paths: readonly string[],
): Promise<readonly ChangedFile[]> {
  const [command = 'diff', ...sides] = args
  const output = await repository.run([command, ...comparing, '-z', '--raw', '--numstat', ...sides, '--', ...paths])
  return parseChanges(output.toString())
}

/** The difference as text. */
export async function readPatch(
  repository: Repository,
  args: readonly string[],
  paths: readonly string[],
): Promise<string> {
  const [command = 'diff', ...sides] = args
  const output = await repository.run([command, ...comparing, '-p', ...sides, '--', ...paths])
  return output.toString().trimEnd()
}

/** Parses `--raw --numstat -z`: first a record per file with its kind, then one with its lines. */
export function parseChanges(output: string): readonly ChangedFile[] {
  const parts = output.split('\0')
  const changes = new Map<string, ChangedFile>()
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? ''
    if (part.startsWith(':')) {
      const letter = /([A-Z])\d*$/.exec(part)?.[1] ?? 'M'
      const isMoved = letter === 'R' || letter === 'C'
      const [first = '', second = ''] = [parts[at + 1], parts[at + 2]]
      const path = isMoved ? second : first
      changes.set(path, { path, change: kinds[letter] ?? 'modified', ...(isMoved && { from: first }) })
      at += isMoved ? 3 : 2
      continue
    }
    const [, added = '', removed = '', path = ''] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(part) ?? []
    if (added === '') {
      at++
      continue
    }
    // an empty path stands before both names of a file that was moved
    const name = path === '' ? (parts[at + 2] ?? '') : path
    at += path === '' ? 3 : 1
    const known = changes.get(name)
    if (known && added !== '-') changes.set(name, { ...known, added: Number(added), removed: Number(removed) })
  }
  return [...changes.values()]
}
