import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Repository } from './repository.ts'

/** A commit as git tells of it. */
export interface Commit {
  readonly sha: string
  readonly parents: readonly string[]
  /** Date of the committer, in ISO form. */
  readonly date: string
  readonly author: string
  readonly email: string
  readonly subject: string
  readonly body: string
}

/** Commits that are wanted, from one commit backwards. */
export interface CommitQuery {
  readonly tip: string
  readonly path?: string | undefined
  readonly author?: string | undefined
  readonly text?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** A page of commits, and how far the walk came. */
export interface CommitPage {
  readonly commits: readonly Commit[]
  /** Number of commits to pass over for the next page; undefined at the end of the history. */
  readonly nextSkip: number | undefined
  /** The last commit that was looked at, where the walk stopped at its budget. */
  readonly stoppedAt?: Commit
}

const fields = '%H%x00%P%x00%cI%x00%an%x00%ae%x00%s%x00%b'
const fieldCount = 7
const plain = ['--no-show-signature', '--no-notes', '--no-color', '--no-ext-diff', '--no-textconv', '-s']

/** The commits that fit a query; with a filter at most a budget of commits is looked at. */
export async function listCommits(
  repository: Repository,
  query: CommitQuery,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<CommitPage> {
  const { path, author, text, until, since } = query
  const age = since === undefined ? [] : [`--max-age=${secondsOf(since, 'since')}`]
  if ([path, author, text, until].every((filter) => filter === undefined)) {
    const found = await readLog(repository, [`-n${limit + 1}`, `--skip=${skip}`, ...age, query.tip])
    return { commits: found.slice(0, limit), nextSkip: found.length > limit ? skip + limit : undefined }
  }
  const budget = repository.limits.maxWalkedCommits
  const walked = [`-n${budget}`, `--skip=${skip}`, ...age, query.tip]
  const fits = matcher(query)
  if (path === undefined) {
    const seen = await readLog(repository, walked)
    return pageOf(
      seen.map((commit, at) => ({ commit, at })).filter(({ commit }) => fits(commit)),
      {
        limit,
        skip,
        budget,
        last: seen.at(-1),
        walked: seen.length,
      },
    )
  }
  const ids = (await repository.run(['rev-list', ...walked])).toString().split('\n').filter(Boolean)
  const touching = new Set(await idsTouching(repository, ids, path))
  const wanted = ids.map((sha, at) => ({ sha, at })).filter(({ sha }) => touching.has(sha))
  const lastId = ids.at(-1)
  const commits = await readCommits(repository, [...wanted.map(({ sha }) => sha), ...(lastId ? [lastId] : [])])
  const found = wanted.flatMap(({ at }, index) => {
    const commit = commits[index]
    return commit && fits(commit) ? [{ commit, at }] : []
  })
  return pageOf(found, { limit, skip, budget, last: commits.at(-1), walked: ids.length })
}

/** Commits by their ids, in the order of the ids. */
export function readCommits(repository: Repository, ids: readonly string[]): Promise<readonly Commit[]> {
  if (ids.length === 0) return Promise.resolve([])
  return readLog(repository, ['--no-walk=unsorted', '--stdin'], ids.map((id) => `${id}\n`).join(''))
}

/** One commit by its id. */
export async function readCommit(repository: Repository, id: string): Promise<Commit> {
  const [commit] = await readLog(repository, ['-n1', id])
  if (commit === undefined) throw new ToolProblem('not_found', `Cannot find the commit ${id}`)
  return commit
}

/** A date as short as lists have it: minutes, in UTC. */
export function shortDate(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.valueOf()) ? iso : `${date.toISOString().slice(0, 16)}Z`
}

async function readLog(repository: Repository, args: readonly string[], input = ''): Promise<readonly Commit[]> {
  const output = await repository.run(['log', '-z', `--format=tformat:${fields}`, ...plain, ...args, '--'], { input })
  const parts = output.toString().split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + fieldCount <= parts.length; at += fieldCount) {
    const [sha = '', parents = '', date = '', author = '', email = '', subject = '', body = ''] = parts.slice(
      at,
      at + fieldCount,
    )
    commits.push({
      sha,
      parents: parents.split(' ').filter(Boolean),
      date,
      author,
      email,
      subject,
      body: body.trimEnd(),
    })
  }
  return commits
}

interface Walk {
  readonly limit: number
  readonly skip: number
  readonly budget: number
  readonly walked: number
  readonly last: Commit | undefined
}

function pageOf(found: readonly { readonly commit: Commit; readonly at: number }[], walk: Walk): CommitPage {
  const { limit, skip, budget, walked, last } = walk
  const shown = found.slice(0, limit)
  const commits = shown.map(({ commit }) => commit)
  if (found.length > limit) return { commits, nextSkip: skip + (shown.at(-1)?.at ?? 0) + 1 }
  if (walked < budget) return { commits, nextSkip: undefined }
  return { commits, nextSkip: skip + walked, ...(last && { stoppedAt: last }) }
}

/** The commits among some that change a path: those with one parent, and merges that differ from all of theirs. */
async function idsTouching(repository: Repository, ids: readonly string[], path: string): Promise<readonly string[]> {
  const args = [
    'diff-tree',
    '--stdin',
    '-r',
    '-c',
    '--root',
    '--raw',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--',
    path,
  ]
  const output = await repository.run(args, { input: ids.map((id) => `${id}\n`).join('') })
  return output
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
}

function matcher({ author, text, until }: CommitQuery): (commit: Commit) => boolean {
  const before = until === undefined ? Number.POSITIVE_INFINITY : secondsOf(until, 'until')
  const [who, words] = [author?.toLowerCase() ?? '', text?.toLowerCase() ?? '']
  return (commit) =>
    `${commit.author} <${commit.email}>`.toLowerCase().includes(who) &&
    `${commit.subject}\n${commit.body}`.toLowerCase().includes(words) &&
    Date.parse(commit.date) / 1_000 <= before
}

function secondsOf(text: string, name: string): number {
  const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)
  const milliseconds = isDate ? Date.parse(text) : Number.NaN
  if (Number.isNaN(milliseconds))
    throw new ToolProblem('refused', `Cannot use "${name}": write a date such as 2026-11-17 or 2026-11-17T12:00:00Z`)
  return Math.floor(milliseconds / 1_000)
}
