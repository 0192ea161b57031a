import { type Context, reply } from '@trunkline/mcp'
import { makeCursor, positionOf } from '@trunkline/server-kit/cursor'
import { fitItems, shownText } from '@trunkline/server-kit/cut-text'
import { listArguments, listReply, wantedFields } from '@trunkline/server-kit/list'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { readBlame } from './blame.ts'
import { readChanges, readPatch } from './changes.ts'
import { type Commit, listCommits, readCommit, shortDate } from './commits.ts'
import { type GitServer, type GitSetup, reads, repo } from './git-setup.ts'
import { type ListedRef, readRefs, refKinds, withTracking } from './list-refs.ts'
import { pathInTree } from './paths.ts'
import { commitId, emptyTree } from './refs.ts'
import type { Repository } from './repository.ts'
import { gitUri, shortId, showChange } from './shown.ts'

const commitFields = ['body', 'email', 'parents'] as const
const refFields = ['subject', 'author'] as const

/** Offers the tools that read the history. */
export function offerHistory(git: GitServer, setup: GitSetup): void {
  offerListCommits(git, setup)
  offerShowCommit(git, setup)
  offerShowBlame(git, setup)
  offerListRefs(git, setup)
}

const date = { type: 'string', description: 'Such as 2026-11-17' } as const

function offerListCommits(git: GitServer, setup: GitSetup): void {
  git.tool(
    'list_commits',
    {
      description: 'Lists commits, the newest first.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          repo,
          ref: { type: 'string', default: 'HEAD' },
          path: { type: 'string', description: 'Only those that change it' },
          author: { type: 'string', description: 'Part of a name or address' },
          since: date,
          until: date,
          text: { type: 'string', description: 'Part of the message' },
          ...listArguments({ limit: 20, fields: commitFields }),
        },
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const { ref = 'HEAD', path, author, since, until, text, limit = 20, cursor } = input
      const repository = await setup.open(ctx, input.repo)
      const query = [ref, path, author, since, until, text]
      const position = positionOf(cursor, query) ?? [await commitId(repository, ref), 0]
      const { tip, skip } = checkPosition(position)
      const wanted = {
        tip,
        author,
        since,
        until,
        text,
        ...(path !== undefined && { path: pathInTree(repository, path) }),
      }
      const { commits, nextSkip, stoppedAt } = await listCommits(repository, wanted, { limit, skip })
      const next = nextSkip === undefined ? undefined : makeCursor(query, [tip, nextSkip])
      const looked = `looked at ${(nextSkip ?? 0) - skip} commits, back to ${shortDate(stoppedAt?.date ?? '')}`
      const items = commits.map((commit) => itemOf(commit, wantedFields(commitFields, input.fields, ctx)))
      const line = (item: (typeof items)[number]) => `${item.sha} ${item.date} ${item.author}: ${item.subject}`
      return listReply({ items, next, ...(stoppedAt && { notes: [looked] }) }, line)
    }),
  )
}

// a cursor is written by its caller
function checkPosition(position: unknown): { readonly tip: string; readonly skip: number } {
  const [tip, skip] = Array.isArray(position) ? position : []
  if (typeof tip !== 'string' || !/^[0-9a-f]{40,64}$/.test(tip) || !Number.isSafeInteger(skip) || skip < 0)
    throw new ToolProblem('refused', 'Cannot go on with this cursor: it names no place in a history')
  return { tip, skip }
}

const maxSubjectChars = 80

function itemOf(commit: Commit, fields: readonly (typeof commitFields)[number][]) {
  const { sha, date, author, email, subject, body, parents } = commit
  return {
    sha: shortId(sha),
    date: shortDate(date),
    author,
    subject: subject.length > maxSubjectChars ? `${subject.slice(0, maxSubjectChars)}…` : subject,
    ...(fields.includes('email') && { email }),
    ...(fields.includes('parents') && { parents: parents.map(shortId) }),
    ...(fields.includes('body') && { body: body.slice(0, 500) }),
  }
}

function offerShowCommit(git: GitServer, setup: GitSetup): void {
  git.tool(
    'show_commit',
    {
      description: 'Shows a commit: message and files, with "patch" the difference to its first parent.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          repo,
          ref: { type: 'string', description: 'Branch, tag, id, or HEAD~2' },
          path: { type: 'string' },
          patch: { type: 'boolean', default: false },
        },
        required: ['ref'],
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, ref, path, patch = false }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      const commit = await readCommit(repository, await commitId(repository, ref))
      const { sha, author, email, date: at, subject, body, parents } = commit
      const paths = path === undefined ? [] : [pathInTree(repository, path)]
      const sides = ['diff-tree', '-r', parents[0] ?? (await emptyTree(repository)), sha]
      const changes = await readChanges(repository, sides, paths)
      const { items: files, left } = fitItems(changes, patch ? 500 : 1_000)
      const all = gitUri(repository, 'commit', sha)
      const message = shownText(`${subject}${body === '' ? '' : `\n\n${body}`}`, { maxTokens: 700, all })
      const shown = patch
        ? shownText(await readPatch(repository, sides, paths), { maxTokens: 900, all: `${all}/diff` })
        : undefined
      const structured = {
        sha,
        author: `${author} <${email}>`,
        date: at,
        message,
        ...(parents.length > 1 && { parents }),
        files,
        ...(left > 0 && { filesLeft: left }),
        ...(shown !== undefined && { patch: shown }),
      }
      const lines = [
        `commit ${sha}${parents.length > 1 ? ` (merge of ${parents.map(shortId).join(' and ')})` : ''}`,
        `${author} <${email}>, ${at}`,
        '',
        message,
        '',
        ...files.map(showChange),
        ...(left > 0 ? [`[${left} more files: ${all}/diff]`] : []),
        ...(shown === undefined ? [] : ['', shown]),
      ]
      return reply(lines.join('\n'), { structured })
    }),
  )
}

function offerShowBlame(git: GitServer, setup: GitSetup): void {
  git.tool(
    'show_blame',
    {
      description: 'Shows which commits wrote the lines of a file.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          repo,
          path: { type: 'string' },
          from: { type: 'integer', minimum: 1, description: 'The first line' },
          lines: { type: 'integer', minimum: 1, maximum: 200 },
          ref: { type: 'string', default: 'HEAD' },
        },
        required: ['path', 'from', 'lines'],
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, path, from, lines, ref = 'HEAD' }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      const query = { id: await commitId(repository, ref), path: pathInTree(repository, path), from, lines }
      await refuseMissing(repository, query.id, query.path)
      const runs = (await readBlame(repository, query)).map((run) => ({
        ...run,
        sha: shortId(run.sha),
        date: shortDate(run.date),
        subject: run.subject.slice(0, maxSubjectChars),
      }))
      const { items, left } = fitItems(runs, 2_000)
      const last = items.at(-1)
      const next = left > 0 && last ? [`go on with "from": ${last.from + last.lines}`] : []
      return listReply(
        { items, notes: next },
        (run) => `${run.from}-${run.from + run.lines - 1} ${run.sha} ${run.date} ${run.author}: ${run.subject}`,
      )
    }),
  )
}

/** Refuses a path that a commit does not have, before git says so with a path of ours in it. */
export async function refuseMissing(repository: Repository, id: string, path: string): Promise<void> {
  const found = await repository.run(['ls-tree', '--name-only', '-z', id, '--', path])
  if (found.length === 0)
    throw new ToolProblem('not_found', `Cannot find ${JSON.stringify(path)} in commit ${shortId(id)}`, {
      next: 'Paths begin at the root of the repository',
    })
}

function offerListRefs(git: GitServer, setup: GitSetup): void {
  git.tool(
    'list_refs',
    {
      description: 'Lists branches, remote branches, tags or stashes, the newest first.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          repo,
          kind: { enum: refKinds, default: 'branch' },
          text: { type: 'string', description: 'Part of the name' },
          ...listArguments({ limit: 30, fields: refFields }),
        },
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const { kind = 'branch', text = '', limit = 30, cursor } = input
      const repository = await setup.open(ctx, input.repo)
      const after = positionOf(cursor, [kind, text])
      const all = await readRefs(repository, kind, text)
      const from = typeof after === 'string' ? all.findIndex(({ name }) => name === after) + 1 : 0
      const page = await withTracking(repository, all.slice(from, from + limit))
      const last = page.at(-1)
      const next = last && from + limit < all.length ? makeCursor([kind, text], last.name) : undefined
      const fields = wantedFields(refFields, input.fields, ctx)
      return listReply({ items: page.map((ref) => refItem(ref, fields)), next, total: all.length }, showRef)
    }),
  )
}

function refItem({ subject, author, ...ref }: ListedRef, fields: readonly (typeof refFields)[number][]) {
  return {
    ...ref,
    sha: shortId(ref.sha),
    ...(fields.includes('subject') && { subject }),
    ...(fields.includes('author') && { author }),
  }
}

function showRef({ name, sha, date: at, upstream, ahead, behind }: ListedRef): string {
  const track = upstream === undefined ? '' : ` → ${upstream}${ahead || behind ? ` (+${ahead} -${behind})` : ''}`
  return `${name} ${sha} ${at}${track}`
}
