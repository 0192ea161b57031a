import { type Context, reply } from '@trunkline/mcp'
import { quoted, undoLine, writePlan } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { readChanges } from './changes.ts'
import { makeCommit, stagedTree } from './commit.ts'
import { type GitServer, type GitSetup, repo, writes } from './git-setup.ts'
import { hookNames } from './hooks.ts'
import { pathList } from './paths.ts'
import { branchName, commitId, emptyTree, headId, isRefName } from './refs.ts'
import type { Repository } from './repository.ts'
import { HookFolder } from './run-hooks.ts'
import { shortId, showChange } from './shown.ts'
import { readStatus, unfinishedState } from './status.ts'
import { readShownStatus } from './work-tree-tools.ts'

/** Effects of tools that change the repository. */
const inRepository = { writes: ['.git/**'] } as const
const inWorkTree = { writes: ['**'] } as const

/** Offers the tools that change the repository. */
export function offerGitWriting(git: GitServer, setup: GitSetup): void {
  offerStagePaths(git, setup)
  offerCreateCommit(git, setup)
  offerSwitchBranch(git, setup)
}

const paths = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1_000 } as const
const pathsFromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'] as const

function offerStagePaths(git: GitServer, setup: GitSetup): void {
  git.tool(
    'stage_paths',
    {
      description: 'Stages files and folders as they are now; with "undo" takes them out again.',
      annotations: { ...writes, idempotentHint: true },
      effects: inRepository,
      preview: async ({ repo: given, paths: named, undo }, ctx) => {
        const repository = await setup.open(ctx, given)
        pathList(repository, named)
        const list = (named as readonly string[]).map((path) => quoted(path)).join(', ')
        const request = `git ${undo ? 'reset' : 'add --all'} -- ${list}`
        return writePlan({ changes: [`${undo ? 'unstages' : 'stages'} ${list} in ${repository.name}`], request })
      },
      input: {
        type: 'object',
        properties: { repo, paths, undo: { type: 'boolean', default: false } },
        required: ['paths'],
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, paths: named, undo = false }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      repository.allow('write')
      return setup.inTurn(repository, async () => {
        await stage(repository, named, undo)
        const { staged, changed, untracked, more } = await readShownStatus(repository)
        const taken = { tool: 'stage_paths', arguments: { paths: named, undo: !undo } }
        const lines = [
          ...staged.map(({ path, change }) => `staged: ${change} ${path}`),
          ...changed.map(({ path, change }) => `changed: ${change} ${path}`),
          undoLine(taken),
        ]
        return reply(lines.join('\n'), {
          structured: { staged, changed, untracked, ...(more && { more }), undo: taken },
        })
      })
    }),
  )
}

async function stage(repository: Repository, named: readonly string[], undo: boolean): Promise<void> {
  const input = pathList(repository, named)
  if (!undo) return void (await repository.run(['add', '--all', ...pathsFromInput], { input }))
  const head = await headId(repository)
  const args = head === undefined ? ['rm', '--cached', '-r', '-q'] : ['reset', '-q', head]
  await repository.run([...args, ...pathsFromInput], { input })
}

function offerCreateCommit(git: GitServer, setup: GitSetup): void {
  git.tool(
    'create_commit',
    {
      description: 'Commits what is staged, and "paths" as they are now. The result names hooks that did not run.',
      annotations: writes,
      effects: inRepository,
      preview: async ({ repo: given, message, paths: named = [] }, ctx) => {
        const repository = await setup.open(ctx, given)
        const tree = await stagedTree(repository, named)
        const head = await headId(repository)
        const files = await readChanges(
          repository,
          ['diff-tree', '-r', head ?? (await emptyTree(repository)), tree],
          [],
        )
        return writePlan({
          changes: [
            `commits ${files.length} files to ${quoted((await branchName(repository)) ?? 'a detached HEAD')} in ${repository.name} as ${quoted(message, 500)}`,
            ...files.slice(0, 50).map((file) => quoted(showChange(file))),
            ...setup.hooks.lines(await setup.hooks.choose(repository, 'commit')),
          ],
          request: { message, tree },
        })
      },
      input: {
        type: 'object',
        properties: {
          repo,
          message: { type: 'string', minLength: 1 },
          paths,
          tree: { type: 'string', description: 'The tree that the preview showed' },
        },
        required: ['message'],
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, message, paths: named = [], tree }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      repository.allow('write')
      repository.allow('sign')
      await refuseUnfinished(repository, 'commit')
      // asked before the turn: a call that waits for an answer must not hold up others
      const chosen = await setup.hooks.choose(repository, 'commit', ctx)
      return setup.inTurn(repository, async () => {
        await refuseUnfinished(repository, 'commit')
        const planned = await stagedTree(repository, named)
        if (tree !== undefined && tree !== planned)
          throw new ToolProblem(
            'conflict',
            `Cannot commit: the files make the tree ${planned} now, not ${quoted(tree)}`,
            {
              next: 'Look at show_diff with "staged" again',
            },
          )
        const head = await headId(repository)
        const files = await readChanges(
          repository,
          ['diff-tree', '-r', head ?? (await emptyTree(repository)), planned],
          [],
        )
        if (files.length === 0)
          throw new ToolProblem('conflict', 'Cannot commit: nothing is staged', {
            next: 'Name "paths", or call stage_paths',
          })
        await using hooks = await HookFolder.of(repository, chosen.run)
        await hooks.checkTree('pre-commit', planned)
        const text = await hooks.editMessage(message, 'message')
        if (named.length > 0) await stage(repository, named, false)
        const parents = head === undefined ? [] : [head]
        const sha = await makeCommit(repository, { tree: planned, parents, message: text })
        const notes = await hooks.runAfter('post-commit')
        const [subject = ''] = text.split('\n')
        const structured = { sha, subject, files: files.length, ...hookNames(chosen) }
        const lines = [`${shortId(sha)} ${subject}: ${files.length} files`, ...setup.hooks.lines(chosen), ...notes]
        return reply(lines.join('\n'), { structured })
      })
    }),
  )
}

/** Refuses while a merge, a rebase or the like is not finished. */
export async function refuseUnfinished(repository: Repository, verb: string): Promise<void> {
  const state = await unfinishedState(repository)
  if (state === undefined || state === 'bisecting') return
  throw new ToolProblem('conflict', `Cannot ${verb}: the repository is in the midst of ${state}`, {
    next: `Finish it by hand, or end it: git ${aborts[state] ?? 'merge'} --abort`,
  })
}

const aborts: { readonly [state: string]: string } = {
  merging: 'merge',
  rebasing: 'rebase',
  'cherry-picking': 'cherry-pick',
  reverting: 'revert',
}

function offerSwitchBranch(git: GitServer, setup: GitSetup): void {
  const changesOf = {
    enum: ['refuse', 'carry', 'stash'],
    default: 'refuse',
    description: 'What becomes of changed files',
  } as const
  git.tool(
    'switch_branch',
    {
      description: 'Checks out a branch; with "create" a new one.',
      annotations: writes,
      effects: inWorkTree,
      preview: async ({ repo: given, name, create, from, changes = 'refuse' }, ctx) => {
        const repository = await setup.open(ctx, given)
        checkBranchName(name)
        const start = create
          ? await commitId(repository, from ?? 'HEAD')
          : await commitId(repository, `refs/heads/${name}`)
        const made = create ? `makes the branch ${quoted(name)} at ${shortId(start)} and ` : ''
        return writePlan({
          changes: [
            `${made}checks out ${quoted(name)} in ${repository.name}; changed files: ${changes}`,
            ...setup.hooks.lines(await setup.hooks.choose(repository, 'switch')),
          ],
          request: `git switch ${create ? '--create ' : ''}${quoted(name)} (${start})`,
        })
      },
      input: {
        type: 'object',
        properties: {
          repo,
          name: { type: 'string' },
          create: { type: 'boolean', default: false },
          from: { type: 'string', description: 'Ref that a new branch begins at; default HEAD' },
          changes: changesOf,
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, name, create = false, from, changes = 'refuse' }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      repository.allow('write')
      checkBranchName(name)
      const chosen = await setup.hooks.choose(repository, 'switch', ctx)
      return setup.inTurn(repository, async () => {
        await refuseUnfinished(repository, 'switch')
        const start = create
          ? await commitId(repository, from ?? 'HEAD')
          : await commitId(repository, `refs/heads/${name}`)
        const { staged, changed, branch } = await readStatus(repository)
        const isDirty = staged.length + changed.length > 0
        if (isDirty && changes === 'refuse')
          throw new ToolProblem('conflict', `Cannot switch: ${staged.length + changed.length} files are changed`, {
            next: 'Commit them, or say "changes": "carry" or "stash"',
          })
        const stashed = isDirty && changes === 'stash' ? await stash(repository, name) : undefined
        const before = await headId(repository)
        await checkOut(repository, { name, start, create }, stashed)
        await using hooks = await HookFolder.of(repository, chosen.run)
        const failures = await hooks.runAfter('post-checkout', [before ?? '0'.repeat(start.length), start, '1'])
        const undo =
          branch === undefined || branch === name ? undefined : { tool: 'switch_branch', arguments: { name: branch } }
        const named = chosen.run.length + chosen.skipped.length > 0 ? hookNames(chosen) : {}
        const structured = { branch: name, ...(stashed !== undefined && { stashed }), ...(undo && { undo }), ...named }
        const notes = stashed === undefined ? [] : [`The changes are in the stash ${shortId(stashed)}`]
        const told = [...notes, ...setup.hooks.lines(chosen), ...failures]
        return reply([`On ${name}`, ...told, ...(undo ? [undoLine(undo)] : [])].join('\n'), { structured })
      })
    }),
  )
}

async function checkOut(
  repository: Repository,
  { name, start, create }: { readonly name: string; readonly start: string; readonly create: boolean },
  stashed: string | undefined,
): Promise<void> {
  const args = [
    'switch',
    '--no-guess',
    '--no-recurse-submodules',
    '--quiet',
    ...(create ? ['--no-track', '-c', name, start] : [name]),
  ]
  try {
    await repository.run(args)
  } catch (error) {
    if (stashed !== undefined) await repository.run(['stash', 'pop', '--index', '--quiet'])
    throw error
  }
}

async function stash(repository: Repository, name: string): Promise<string> {
  await repository.run(['stash', 'push', '--quiet', '-m', `before switching to ${name}`])
  return (await repository.run(['rev-parse', '--verify', 'refs/stash'])).toString().trim()
}

function checkBranchName(name: string): void {
  if (!isRefName(name) || name === 'HEAD' || name.startsWith('refs/') || /^[0-9a-f]{40,64}$/.test(name))
    throw new ToolProblem('refused', `Cannot use ${quoted(name)} as the name of a branch`)
}
