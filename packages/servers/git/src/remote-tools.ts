import { type Context, reply } from '@trunkline/mcp'
import { listReply } from '@trunkline/server-kit/list'
import { quoted, writePlan } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { listCommits, readCommits } from './commits.ts'
import { type GitServer, type GitSetup, repo, writes } from './git-setup.ts'
import { hookNames } from './hooks.ts'
import { pullRequestLink } from './pull-request-link.ts'
import { branchName, commitId, isObjectId, isRefName } from './refs.ts'
import { knownRefs, type Remote, reaching, remoteNamed, remoteProblem } from './remotes.ts'
import type { GitRunOptions, Repository } from './repository.ts'
import { HookFolder, hookProblem } from './run-hooks.ts'
import { shortId } from './shown.ts'

const remote = { type: 'string', default: 'origin', description: 'Its name' } as const
const effects = { writes: ['.git/**'], network: ['*'] } as const

/** Offers the tools that reach a remote. */
export function offerRemotes(git: GitServer, setup: GitSetup): void {
  offerFetch(git, setup)
  offerPush(git, setup)
}

function offerFetch(git: GitServer, setup: GitSetup): void {
  git.tool(
    'fetch_remote',
    {
      description: 'Fetches the branches of a remote; no branch of yours changes.',
      annotations: { ...writes, idempotentHint: true, openWorldHint: true },
      effects,
      preview: async ({ repo: given, remote: name = 'origin', prune = false }, ctx) => {
        const repository = await setup.open(ctx, given)
        const { shownUrl } = remoteNamed(repository, name, 'fetch')
        return writePlan({
          changes: [
            `fetches from ${quoted(shownUrl)} into ${repository.name}${prune ? ' and forgets branches that are gone' : ''}`,
          ],
          request: `git fetch ${prune ? '--prune ' : ''}-- ${quoted(name)}`,
        })
      },
      input: {
        type: 'object',
        properties: {
          repo,
          remote,
          prune: { type: 'boolean', default: false, description: 'Forget branches that are gone there' },
        },
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, remote: name = 'origin', prune = false }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      const found = remoteNamed(repository, name, 'fetch')
      return setup.inTurn(repository, async () => {
        const before = await knownRefs(repository, name)
        const plain = [
          '--quiet',
          '--no-recurse-submodules',
          '--no-write-fetch-head',
          '--refmap=',
          '--upload-pack=git-upload-pack',
        ]
        const args = [
          'fetch',
          ...plain,
          ...(prune ? ['--prune'] : []),
          '--',
          name,
          `+refs/heads/*:refs/remotes/${name}/*`,
        ]
        const outcome = await repository.try(args, reaching(repository))
        if (outcome.code !== 0) throw remoteProblem('fetch from', found, outcome)
        const items = moved(before, await knownRefs(repository, name))
        return listReply(
          { items: items.slice(0, 50), total: items.length },
          ({ ref, from, to }) => `${ref} ${from ?? 'new'} → ${to ?? 'gone'}`,
        )
      })
    }),
  )
}

function moved(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
  return names.map((ref) => {
    const [from, to] = [before.get(ref), after.get(ref)]
    return { ref, ...(from && { from: shortId(from) }), ...(to && { to: shortId(to) }) }
  })
}

function offerPush(git: GitServer, setup: GitSetup): void {
  git.tool(
    'push_branch',
    {
      description: 'Pushes a branch to a remote of the same name. Others see it at once.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      effects,
      preview: async ({ repo: given, branch, remote: name = 'origin', expect }, ctx) => {
        const repository = await setup.open(ctx, given)
        const { shownUrl } = remoteNamed(repository, name, 'push')
        const { ref, id } = await branchToPush(repository, branch)
        const news = await newCommits(repository, { id, tracked: `refs/remotes/${name}/${ref}` })
        return writePlan({
          changes: [
            `pushes ${quoted(ref)} (${shortId(id)}) of ${repository.name} to ${quoted(shownUrl)}, with ${news.length === 20 ? '20 or more' : news.length} commits:`,
            ...news.map(({ sha, author, subject }) => `${shortId(sha)} ${quoted(author)}: ${quoted(subject)}`),
            ...(expect === undefined ? [] : [`replaces ${quoted(expect)} there`]),
            ...setup.hooks.lines(await setup.hooks.choose(repository, 'push')),
          ],
          request: `git push ${quoted(name)} ${id}:refs/heads/${quoted(ref)}`,
        })
      },
      input: {
        type: 'object',
        properties: {
          repo,
          branch: { type: 'string', description: 'Default: the one that is checked out' },
          remote,
          expect: { type: 'string', description: 'Full id that the remote must have; needed to replace commits there' },
        },
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, branch, remote: name = 'origin', expect }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      const found = remoteNamed(repository, name, 'push')
      if (expect !== undefined && !isObjectId(expect))
        throw new ToolProblem('refused', 'Cannot push: "expect" must be the full id of a commit')
      const chosen = await setup.hooks.choose(repository, 'push', ctx)
      return setup.inTurn(repository, async () => {
        const { ref, id } = await branchToPush(repository, branch)
        const lease = expect === undefined ? [] : [`--force-with-lease=refs/heads/${ref}:${expect}`]
        await using hooks = await HookFolder.of(repository, chosen.run)
        const isChecked = hooks.has('pre-push')
        const plain = [
          '--porcelain',
          isChecked ? '--verify' : '--no-verify',
          '--no-recurse-submodules',
          '--no-signed',
          '--receive-pack=git-receive-pack',
        ]
        const args = ['push', ...plain, ...lease, '--', name, `${id}:refs/heads/${ref}`]
        const outcome = await repository.try(args, pushing(repository, isChecked ? hooks : undefined))
        const told = outcome.output.toString()
        if (/^!\t/m.test(told)) throw rejected(told, ref)
        // git says no more than this where its own hook refused
        if (isChecked && outcome.code === 1 && !/^fatal:/m.test(outcome.complaint))
          throw hookProblem(
            'pre-push',
            `${told}${outcome.complaint.replace(/^error: failed to push some refs .*$/m, '')}`,
          )
        if (outcome.code !== 0) throw remoteProblem('push to', found, outcome)
        const [, from] = /^.\t\S+\t([0-9a-f]+)\.{2,3}[0-9a-f]+/m.exec(told) ?? []
        const link = await linkOf(repository, found, ref)
        const structured = { ref, ...(from && { from }), to: id, ...(link && { link }), ...hookNames(chosen) }
        const lines = [
          `${ref} ${from ? shortId(from) : 'new'} → ${shortId(id)} at ${name}`,
          ...(link ? [`Open a pull request: ${link}`] : []),
          ...setup.hooks.lines(chosen),
        ]
        return reply(lines.join('\n'), { structured })
      })
    }),
  )
}

/** Options of a push, which runs an accepted hook for it. */
function pushing(repository: Repository, hooks: HookFolder | undefined): GitRunOptions {
  const plain = reaching(repository)
  if (hooks === undefined) return plain
  const { maxRemoteMs, maxHookMs } = repository.limits
  const { env, ...options } = hooks.runOptions
  return { ...options, env: { ...plain.env, ...env }, maxMs: maxRemoteMs + maxHookMs }
}

/** The page that opens a pull request for a branch; undefined for the main branch of the remote. */
async function linkOf(
  repository: Repository,
  { name, addresses }: Remote,
  branch: string,
): Promise<string | undefined> {
  const [address, ...others] = addresses
  if (address === undefined || others.length > 0) return undefined
  const { code, output } = await repository.try(['symbolic-ref', '--quiet', `refs/remotes/${name}/HEAD`])
  const [main, prefix] = [output.toString().trim(), `refs/remotes/${name}/`]
  const isMain = code === 0 ? main === `${prefix}${branch}` : ['main', 'master'].includes(branch)
  return isMain ? undefined : pullRequestLink(address, branch)
}

async function branchToPush(repository: Repository, given: string | undefined) {
  const ref = given ?? (await branchName(repository))
  if (ref === undefined)
    throw new ToolProblem('conflict', 'Cannot push: no branch is checked out', {
      next: 'Name a "branch", or make one: switch_branch',
    })
  if (!isRefName(ref) || ref.startsWith('refs/'))
    throw new ToolProblem('refused', `Cannot push ${quoted(ref)}: it is no name of a branch`)
  return { ref, id: await commitId(repository, `refs/heads/${ref}`) }
}

/** The commits that a remote does not have yet, at most twenty. */
async function newCommits(repository: Repository, { id, tracked }: { readonly id: string; readonly tracked: string }) {
  const known = await repository.try(['rev-parse', '--verify', '--quiet', '--end-of-options', `${tracked}^{commit}`])
  if (known.code !== 0) return (await listCommits(repository, { tip: id }, { limit: 20, skip: 0 })).commits
  const args = ['rev-list', '-n20', id, `^${known.output.toString().trim()}`, '--']
  return readCommits(repository, (await repository.run(args)).toString().split('\n').filter(Boolean))
}

function rejected(told: string, ref: string): ToolProblem {
  if (/stale info|fetch first|non-fast-forward/.test(told))
    return new ToolProblem(
      'conflict',
      `Cannot push ${quoted(ref)}: the remote has commits that you do not have, or another id than expected`,
      {
        next: 'Call fetch_remote and merge_ref first; to replace them, "expect" their id',
      },
    )
  const [, why = ''] = /\(([^)]*)\)\s*$/m.exec(told) ?? []
  return new ToolProblem('refused', `Cannot push ${quoted(ref)}: the remote says ${quoted(why)}`)
}
