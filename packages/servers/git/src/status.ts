import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

/** A path of a status with what became of it. */
export interface StatusPath {
  readonly path: string
  readonly change: string
  readonly from?: string
}

/** State of a work tree. */
export interface WorkTreeStatus {
  /** Undefined on a detached HEAD. */
  readonly branch?: string
  /** The commit that is checked out; undefined before the first one. */
  readonly head?: string
  readonly upstream?: string
  readonly ahead: number
  readonly behind: number
  /** An operation that is not finished, such as "merging". */
  readonly state?: string
  readonly staged: readonly StatusPath[]
  readonly changed: readonly StatusPath[]
  readonly untracked: readonly string[]
  readonly conflicted: readonly StatusPath[]
}

const kinds: { readonly [letter: string]: string } = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}

const conflictKinds: { readonly [letters: string]: string } = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
}

/** Reads the status of a work tree; submodules are not entered. */
export async function readStatus(repository: Repository): Promise<WorkTreeStatus> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=all']
  const output = await repository.run(args)
  const state = await unfinishedState(repository)
  return { ...parseStatus(output.toString()), ...(state && { state }) }
}

/** The operation that a repository is in the midst of. */
export async function unfinishedState({ gitDir }: Repository): Promise<string | undefined> {
  const marks = [
    ['MERGE_HEAD', 'merging'],
    ['rebase-merge', 'rebasing'],
    ['rebase-apply', 'rebasing'],
    ['CHERRY_PICK_HEAD', 'cherry-picking'],
    ['REVERT_HEAD', 'reverting'],
    ['BISECT_LOG', 'bisecting'],
  ] as const
  for (const [name, state] of marks) {
    const isThere = await access(join(gitDir, name)).then(
      () => true,
      () => false,
    )
    if (isThere) return state
  }
  return undefined
}

/** Parses `git status --porcelain=v2 --branch -z`. */
export function parseStatus(output: string): WorkTreeStatus {
  const [staged, changed, conflicted]: [StatusPath[], StatusPath[], StatusPath[]] = [[], [], []]
  const untracked: string[] = []
  const heads = new Map<string, string>()
  const parts = output.split('\0')
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const [, header = '', value = ''] = /^# branch\.([a-z]+) ([\s\S]*)$/.exec(part) ?? []
    if (header !== '') heads.set(header, value)
    else if (part.startsWith('? ')) untracked.push(part.slice(2))
    else if (part.startsWith('1 ') || part.startsWith('2 ')) {
      const isMoved = part.startsWith('2 ')
      const path = afterWords(part, isMoved ? 9 : 8)
      const from = isMoved ? parts[++at] : undefined
      const [index = '.', tree = '.'] = part.slice(2, 4)
      if (index !== '.') staged.push({ path, change: kinds[index] ?? index, ...(from !== undefined && { from }) })
      if (tree !== '.') changed.push({ path, change: kinds[tree] ?? tree })
    } else if (part.startsWith('u ')) {
      conflicted.push({ path: afterWords(part, 10), change: conflictKinds[part.slice(2, 4)] ?? 'conflicted' })
    }
  }
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(heads.get('ab') ?? '') ?? []
  const [branch, head, upstream] = [heads.get('head'), heads.get('oid'), heads.get('upstream')]
  return {
    ...(branch !== undefined && branch !== '(detached)' && { branch }),
    ...(head !== undefined && head !== '(initial)' && { head }),
    ...(upstream !== undefined && { upstream }),
    ahead: Number(ahead),
    behind: Number(behind),
    staged,
    changed,
    untracked,
    conflicted,
  }
}

function afterWords(text: string, count: number): string {
  let at = 0
  for (let word = 0; word < count; word++) at = text.indexOf(' ', at) + 1
  return text.slice(at)
}
