import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type AllowedFolders, insidePath, liesIn } from '@trunkline/server-kit/folders'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { GitLimits } from './git-limits.ts'
import {
  type LocalSetting,
  neutralSettings,
  parseSettings,
  refuseLocalSettings,
  type Undertaking,
} from './repository-config.ts'
import { type GitOutcome, type GitRun, runGit } from './run-git.ts'

/** Options of one run in a repository. */
export type GitRunOptions = Partial<Pick<GitRun, 'env' | 'input' | 'maxMs' | 'maxBytes' | 'settings' | 'endsGroup'>>

/** A repository whose folder, links and settings were looked at. */
export interface Repository {
  /** Name of its folder. */
  readonly name: string
  /** The work tree. */
  readonly root: string
  /** The folder with its index and HEAD. */
  readonly gitDir: string
  /** The folder with its objects and refs; another one for linked work trees. */
  readonly commonDir: string
  readonly settings: readonly LocalSetting[]
  readonly limits: GitLimits
  /** Runs git and returns its answer; throws a problem where git refuses. */
  run(args: readonly string[], options?: GitRunOptions): Promise<Buffer>
  /** Runs git and returns how it ended. */
  try(args: readonly string[], options?: GitRunOptions): Promise<GitOutcome>
  /** Refuses an undertaking that a setting of the repository would change. */
  allow(undertaking: Undertaking): void
}

/** Options of opening a repository. */
export interface OpenOptions {
  readonly limits: GitLimits
  readonly signal?: AbortSignal | undefined
}

/** Opens the repository that a folder belongs to; all of it must lie in the allowed folders. */
export async function openRepository(
  allowed: AllowedFolders,
  given: string,
  { limits, signal }: OpenOptions,
): Promise<Repository> {
  const folder = await insidePath(allowed, given)
  const state = await lstat(folder).catch(() => undefined)
  if (state?.isDirectory() !== true)
    throw new ToolProblem('not_found', `Cannot use ${quoted(given)}: it is no folder`, {
      next: 'Name the folder of a repository as "repo"',
    })
  const { root, gitDir, commonDir } = await findGitDir(allowed, folder, given)
  await refuseLinks(allowed, [gitDir, commonDir], limits)
  await refuseForeignObjects(allowed, commonDir)
  const run = { maxBytes: limits.maxOutputBytes, maxMs: limits.maxLocalMs, signal }
  const settings = await readLocalSettings([join(commonDir, 'config'), join(gitDir, 'config.worktree')], run)
  refuseLocalSettings(settings, 'read')
  const neutral = neutralSettings(settings)
  const attempt = (args: readonly string[], options: GitRunOptions = {}) =>
    runGit({
      cwd: root,
      args,
      ...run,
      ...options,
      env: { GIT_DIR: gitDir, GIT_WORK_TREE: root, ...options.env },
      settings: [...neutral, ...(options.settings ?? [])],
    })
  return {
    name: basename(root),
    root,
    gitDir,
    commonDir,
    settings,
    limits,
    try: attempt,
    run: async (args, options) => {
      const outcome = await attempt(args, options)
      if (outcome.code !== 0 && !outcome.isCut) throw gitProblem(args, outcome)
      return outcome.output
    },
    allow: (undertaking) => refuseLocalSettings(settings, undertaking),
  }
}

/** The problem that git told of, in quotes: its words contain names that others chose. */
export function gitProblem([command]: readonly string[], { complaint }: GitOutcome): ToolProblem {
  const [line = ''] = complaint.split('\n').filter((each) => /^(?:fatal|error):/.test(each))
  const words = quoted(line.replace(/^(?:fatal|error): /, '') || complaint.trim(), 300)
  if (/index\.lock/.test(complaint))
    return new ToolProblem('conflict', `Cannot run "git ${command}": another git is at work in this repository`, {
      next: 'Try again when it has ended',
    })
  return new ToolProblem('refused', `Cannot run "git ${command}": git says ${words}`)
}

interface Found {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
}

async function findGitDir(allowed: AllowedFolders, folder: string, given: string): Promise<Found> {
  const isAllowed = (path: string) => allowed.folders.some((top) => liesIn(top, path))
  for (let root = folder; isAllowed(root); root = dirname(root)) {
    const place = join(root, '.git')
    const found = await lstat(place).catch(() => undefined)
    if (found?.isSymbolicLink()) throw outside(given, 'its ".git" is a link')
    if (found?.isDirectory()) return { root, gitDir: place, commonDir: await commonOf(allowed, place, given) }
    if (found?.isFile()) {
      const [, target = ''] = /^gitdir: (.+?)\r?\n?$/.exec(await readStart(place)) ?? []
      const gitDir = target === '' ? undefined : await realpath(resolve(root, target)).catch(() => undefined)
      if (gitDir === undefined || !isAllowed(gitDir)) throw outside(given, 'its ".git" leads out of the folders')
      return { root, gitDir, commonDir: await commonOf(allowed, gitDir, given) }
    }
    if (dirname(root) === root) break
  }
  throw new ToolProblem('not_found', `Cannot use ${quoted(given)}: it is not in a git repository`, {
    next: 'Name the folder of a repository as "repo", or make one: git init',
  })
}

async function commonOf({ folders }: AllowedFolders, gitDir: string, given: string): Promise<string> {
  const place = join(gitDir, 'commondir')
  if ((await lstat(place).catch(() => undefined)) === undefined) return gitDir
  const common = await realpath(resolve(gitDir, (await readStart(place)).trim())).catch(() => undefined)
  if (common === undefined || !folders.some((top) => liesIn(top, common)))
    throw outside(given, 'its common folder lies out of the folders')
  return common
}

// such files are one line; whatever is longer is none of git's
async function readStart(path: string): Promise<string> {
  const { size } = await lstat(path)
  return size > 4_096 ? '' : readFile(path, 'utf8')
}

/** Refuses a repository whose own folder has links that lead out: git would read and write through them. */
async function refuseLinks(allowed: AllowedFolders, folders: readonly string[], limits: GitLimits): Promise<void> {
  let left = limits.maxCheckedEntries
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (left-- <= 0) throw outside(folder, 'it has too many entries to look at')
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) {
        const real = await realpath(path).catch(() => undefined)
        if (real === undefined || !allowed.folders.some((top) => liesIn(top, real)))
          throw outside(entry.name, 'it is a link in the folder of git that leads out')
      }
      // objects lie two levels deep, and there are many of them
      const isEntered = depth > 0 || entry.name === 'refs' || entry.name === 'logs' || entry.name === 'info'
      const isObjects = depth === 0 && entry.name === 'objects'
      if (entry.isDirectory() && isEntered) await look(path, depth + 1)
      if (entry.isDirectory() && isObjects) await lookAtObjects(path)
    }
  }
  const lookAtObjects = async (path: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true })
    if (entries.some((entry) => entry.isSymbolicLink())) throw outside('objects', 'a folder of objects is a link')
    for (const name of ['info', 'pack']) {
      const files = await readdir(join(path, name), { withFileTypes: true }).catch(() => [])
      if (files.some((entry) => entry.isSymbolicLink())) throw outside(`objects/${name}`, 'it has links')
    }
  }
  for (const folder of new Set(folders)) await look(folder, 0)
}

/** Refuses a repository that borrows objects from elsewhere. */
async function refuseForeignObjects({ folders }: AllowedFolders, commonDir: string): Promise<void> {
  const text = await readFile(join(commonDir, 'objects/info/alternates'), 'utf8').catch(() => '')
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const real = await realpath(resolve(commonDir, 'objects', line)).catch(() => undefined)
    if (real !== undefined && folders.some((top) => liesIn(top, real))) continue
    throw outside(line, 'the repository borrows objects from there')
  }
}

async function readLocalSettings(
  files: readonly string[],
  run: Pick<GitRun, 'maxBytes' | 'maxMs' | 'signal'>,
): Promise<readonly LocalSetting[]> {
  const lists = await Promise.all(
    files.map(async (file) => {
      if ((await lstat(file).catch(() => undefined))?.isFile() !== true) return []
      // read from the root, so that git takes no repository for its own meanwhile
      const args = ['config', '--file', file, '--no-includes', '--list', '-z']
      const outcome = await runGit({ cwd: '/', args, ...run })
      if (outcome.code !== 0) throw gitProblem(args, outcome)
      return parseSettings(outcome.output)
    }),
  )
  return lists.flat()
}

function outside(what: string, why: string): ToolProblem {
  return new ToolProblem('refused', `Cannot use ${quoted(what)}: ${why}, outside of what this server may use`)
}
