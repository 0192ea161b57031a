import { type Context, reply } from '@trunkline/mcp'
import { fitItems, shownText } from '@trunkline/server-kit/cut-text'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { readChanges, readPatch } from './changes.ts'
import { type GitServer, type GitSetup, reads, repo } from './git-setup.ts'
import { pathInTree } from './paths.ts'
import { commitId, emptyTree, headId } from './refs.ts'
import type { Repository } from './repository.ts'
import { shortId, showChange } from './shown.ts'
import { readStatus, type StatusPath, type WorkTreeStatus } from './status.ts'

/** Offers the tools that read the work tree. */
export function offerWorkTree(git: GitServer, setup: GitSetup): void {
  git.tool(
    'get_status',
    {
      description: 'Tells branch, staged, changed, untracked and conflicted files.',
      annotations: reads,
      input: { type: 'object', properties: { repo }, additionalProperties: false },
    },
    explained(async ({ repo: given }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      const status = shownStatus(await readStatus(repository), setup.limits.maxStatusPaths)
      return reply(statusText(status), { structured: status })
    }),
  )
  offerShowDiff(git, setup)
}

function offerShowDiff(git: GitServer, setup: GitSetup): void {
  git.tool(
    'show_diff',
    {
      description: 'Compares two commits, or one with the work tree; without arguments the work tree with HEAD.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          repo,
          from: { type: 'string', description: 'Ref; default HEAD' },
          to: { type: 'string', description: 'Ref; default the work tree' },
          staged: { type: 'boolean', default: false, description: 'What is staged, instead of the work tree' },
          paths: { type: 'array', items: { type: 'string' }, maxItems: 100 },
          patch: { type: 'boolean', default: false },
        },
        additionalProperties: false,
      },
    },
    explained(async ({ repo: given, from, to, staged = false, paths = [], patch = false }, ctx: Context) => {
      if (staged && to !== undefined)
        throw new ToolProblem('refused', 'Cannot compare: give "to" or "staged", not both')
      const repository = await setup.open(ctx, given)
      const one =
        from === undefined
          ? ((await headId(repository)) ?? (await emptyTree(repository)))
          : await commitId(repository, from)
      const sides = [
        'diff',
        ...(staged ? ['--cached'] : []),
        one,
        ...(to === undefined ? [] : [await commitId(repository, to)]),
      ]
      const wanted = paths.map((path) => pathInTree(repository, path))
      const changes = await readChanges(repository, sides, wanted)
      const { items: files, left } = fitItems(changes, patch ? 600 : 1_600)
      const all = 'ask for fewer "paths"'
      const shown = patch ? shownText(await readPatch(repository, sides, wanted), { maxTokens: 1_300, all }) : undefined
      const lines = [
        ...(files.length === 0 ? ['No difference'] : files.map(showChange)),
        ...(left > 0 ? [`[${left} more files]`] : []),
        ...(shown === undefined ? [] : ['', shown]),
      ]
      const structured = { files, ...(left > 0 && { filesLeft: left }), ...(shown !== undefined && { patch: shown }) }
      return reply(lines.join('\n'), { structured })
    }),
  )
}

type StatusList = 'staged' | 'changed' | 'untracked' | 'conflicted'
const lists: readonly StatusList[] = ['conflicted', 'staged', 'changed', 'untracked']

/** A status that fits into a result: the first paths of each kind, and how many more there are. */
export function shownStatus(
  status: WorkTreeStatus,
  maxPaths: number,
): WorkTreeStatus & { more?: { [Name in StatusList]?: number } } {
  const more: { [Name in StatusList]?: number } = {}
  const cut = <Item>(name: StatusList, items: readonly Item[]): readonly Item[] => {
    const { items: shown } = fitItems(items.slice(0, maxPaths), 450)
    if (shown.length < items.length) more[name] = items.length - shown.length
    return shown
  }
  const { head } = status
  const shown = {
    ...status,
    ...(head !== undefined && { head: shortId(head) }),
    staged: cut('staged', status.staged),
    changed: cut('changed', status.changed),
    untracked: cut('untracked', status.untracked),
    conflicted: cut('conflicted', status.conflicted),
  }
  return Object.keys(more).length === 0 ? shown : { ...shown, more }
}

/** A status as text: the branch, then one line per path. */
export function statusText(status: ReturnType<typeof shownStatus>): string {
  const { branch, head, upstream, ahead, behind, state, more = {} } = status
  const where = branch ?? (head === undefined ? 'no branch' : `detached at ${head}`)
  const track = upstream === undefined ? '' : `, ${ahead} ahead and ${behind} behind ${upstream}`
  const lines = lists.flatMap((name) => [
    ...status[name].map((item) => `${name}: ${typeof item === 'string' ? item : showPath(item)}`),
    ...(more[name] === undefined ? [] : [`[${more[name]} more ${name}]`]),
  ])
  const unborn = head === undefined ? ', no commit yet' : ''
  return [
    `${where}${unborn}${track}${state === undefined ? '' : `, ${state}`}`,
    ...(lines.length > 0 ? lines : ['clean']),
  ].join('\n')
}

function showPath({ path, change, from }: StatusPath): string {
  return `${change} ${from === undefined ? '' : `${from} → `}${path}`
}

/** The status of a repository as it is shown. */
export async function readShownStatus(repository: Repository): Promise<ReturnType<typeof shownStatus>> {
  return shownStatus(await readStatus(repository), repository.limits.maxStatusPaths)
}
