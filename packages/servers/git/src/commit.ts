import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { pathList } from './paths.ts'
import { gitProblem, type Repository } from './repository.ts'

/** A commit to be made. */
export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/** The tree that the index makes, with some paths as they are in the work tree; the index stays as it is. */
export async function stagedTree(repository: Repository, paths: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-index-'))
  try {
    const index = join(folder, 'index')
    await copyIndex(join(repository.gitDir, 'index'), index)
    const env = { GIT_INDEX_FILE: index }
    if (paths.length > 0) {
      const input = pathList(repository, paths)
      await repository.run(['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], { env, input })
    }
    const args = ['write-tree']
    const outcome = await repository.try(args, { env })
    if (/unmerged|not able to write tree/.test(outcome.complaint))
      throw new ToolProblem('conflict', 'Cannot commit: there are files in conflict', {
        next: 'Resolve and stage them first',
      })
    if (outcome.code !== 0) throw gitProblem(args, outcome)
    return outcome.output.toString().trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Copies an index with its time: git looks into files that changed in the second in which the index was written, and trusts
 * the size and time of others.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const state = await stat(from).catch(() => undefined)
  // a repository without commits has none
  if (state === undefined) return
  await copyFile(from, to)
  const seconds = Math.floor(state.mtimeMs / 1_000)
  await utimes(to, seconds, seconds)
}

/** Makes a commit and moves HEAD to it, if HEAD is still its first parent. */
export async function makeCommit(repository: Repository, commit: NewCommit): Promise<string> {
  const sha = await writeCommit(repository, commit)
  const [subject = ''] = commit.message.split('\n')
  const old = commit.parents[0] ?? '0'.repeat(sha.length)
  await repository.run(['update-ref', '-m', `commit: ${subject.slice(0, 200)}`, 'HEAD', sha, old])
  return sha
}

/** Writes the object of a commit, signed where the person signs theirs. */
export async function writeCommit(repository: Repository, { tree, parents, message }: NewCommit): Promise<string> {
  const text = message.trimEnd()
  if (text.trim() === '') throw new ToolProblem('refused', 'Cannot commit: the message is empty')
  const signs = await isSigning(repository)
  const args = [
    'commit-tree',
    ...(signs ? ['-S'] : []),
    ...parents.flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
    tree,
  ]
  const outcome = await repository.try(args, { input: `${text}\n` })
  if (/tell me who you are|unable to auto-detect email|empty ident name/.test(outcome.complaint))
    throw new ToolProblem('refused', 'Cannot commit: git does not know your name', {
      next: 'Set them: git config --global user.name … and user.email …',
    })
  if (outcome.code !== 0) throw gitProblem(args, outcome)
  return outcome.output.toString().trim()
}

// only the person decides whether a program signs, not the repository
async function isSigning(repository: Repository): Promise<boolean> {
  for (const scope of ['--global', '--system']) {
    const { code, output } = await repository.try(['config', scope, '--type=bool', '--get', 'commit.gpgSign'])
    if (code === 0) return output.toString().trim() === 'true'
  }
  return false
}
