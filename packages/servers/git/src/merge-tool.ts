import { type Context, reply } from '@trunkline/mcp'
import { fitItems, shownText } from '@trunkline/server-kit/cut-text'
import { quoted, writePlan } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { writeCommit } from './commit.ts'
import { readCommit } from './commits.ts'
import { type GitServer, type GitSetup, repo, writes } from './git-setup.ts'
import { hookNames } from './hooks.ts'
import { type Conflict, type MergePlan, type OpenConflict, planMerge, refuseOtherPlan } from './merge.ts'
import { proposeResolutions } from './propose-resolutions.ts'
import { branchName, commitId, headId } from './refs.ts'
import type { Repository } from './repository.ts'
import { type Resolution, resolvedTree } from './resolve-merge.ts'
import { HookFolder } from './run-hooks.ts'
import { shortId } from './shown.ts'
import { refuseUnfinished } from './writing-tools.ts'

const resolutions = {
  type: 'array',
  maxItems: 1_000,
  items: {
    type: 'object',
    properties: {
      hunk: { type: 'string' },
      take: { enum: ['ours', 'theirs', 'both'] },
      text: { type: 'string', description: 'Instead of "take"' },
    },
    required: ['hunk'],
    additionalProperties: false,
  },
} as const

const input = {
  type: 'object',
  properties: {
    repo,
    ref: { type: 'string' },
    message: { type: 'string' },
    plan: { type: 'string', description: 'From the first call' },
    resolutions,
  },
  required: ['ref'],
  additionalProperties: false,
} as const

/** Offers the tool that merges: first a plan that changes nothing, then the merge of exactly that plan. */
export function offerMerge(git: GitServer, setup: GitSetup): void {
  git.tool(
    'merge_ref',
    {
      description:
        'Merges a ref into the branch. Without "plan" only shows the plan and the conflicts; with it and a resolution for every hunk merges.',
      annotations: writes,
      effects: { writes: ['**'] },
      preview: async ({ repo: given, ref, plan: named, message, resolutions: chosen = [] }, ctx) => {
        const repository = await setup.open(ctx, given)
        const merge = await planOf(repository, ref)
        const into = quoted((await branchName(repository)) ?? 'a detached HEAD')
        const isPlanned = named !== undefined
        if (isPlanned) refuseOtherPlan(merge, named)
        const does = isPlanned
          ? `merges ${quoted(ref)} (${shortId(merge.theirs)}) into ${into}`
          : 'changes nothing: shows a plan'
        const hooks = isPlanned ? setup.hooks.lines(await setup.hooks.choose(repository, 'merge')) : []
        const request = { ours: merge.ours, theirs: merge.theirs, plan: merge.plan, ...(message && { message }) }
        const texts = (chosen as readonly Resolution[]).map(
          ({ hunk, take, text }) => `hunk ${quoted(hunk)}: ${quoted(text ?? take ?? '', 2_000)}`,
        )
        return writePlan({ changes: [`${does} in ${repository.name}`, ...texts, ...hooks], request })
      },
      input,
    },
    explained(async ({ repo: given, ref, message, plan: named, resolutions: chosen }, ctx: Context) => {
      const repository = await setup.open(ctx, given)
      repository.allow('write')
      await refuseUnfinished(repository, 'merge')
      const merge = await planOf(repository, ref)
      if (named === undefined || merge.state === 'upToDate') return showPlan(merge, ref)
      repository.allow('sign')
      refuseOtherPlan(merge, named)
      if (chosen === undefined && setup.resolve === 'sample' && merge.conflicts.length > 0)
        return proposeResolutions(ctx, ref, merge)
      // asked before the turn: a call that waits for an answer must not hold up others
      const decided = chosen ?? (await askFor(ctx, merge))
      const chosenHooks = await setup.hooks.choose(repository, 'merge', ctx)
      return setup.inTurn(repository, async () => {
        refuseOtherPlan(await planOf(repository, ref), named)
        await using hooks = await HookFolder.of(repository, chosenHooks.run)
        const sha = await finish(repository, merge, { message: message ?? `Merge ${ref}`, decided, hooks })
        const notes = await hooks.runAfter('post-merge', ['0'])
        const structured = { state: 'done', sha, ...hookNames(chosenHooks) }
        const lines = [`Merged as ${shortId(sha)}`, ...setup.hooks.lines(chosenHooks), ...notes]
        return reply(lines.join('\n'), { structured })
      })
    }),
  )
}

async function planOf(repository: Repository, ref: string): Promise<MergePlan> {
  const ours = await headId(repository)
  if (ours === undefined) throw new ToolProblem('conflict', 'Cannot merge: the branch has no commit yet')
  return planMerge(repository, ours, await commitId(repository, ref))
}

interface Finishing {
  readonly message: string
  readonly decided: readonly Resolution[]
  readonly hooks: HookFolder
}

async function finish(repository: Repository, merge: MergePlan, finishing: Finishing): Promise<string> {
  const sha = merge.isFastForward ? merge.theirs : await commitMerge(repository, merge, finishing)
  // moves HEAD and the work tree together, or neither: changed files stay, or git refuses
  await repository.run(['merge', '--ff-only', '--quiet', '--no-autostash', '--no-stat', sha])
  return (await readCommit(repository, sha)).sha
}

async function commitMerge(repository: Repository, merge: MergePlan, finishing: Finishing): Promise<string> {
  const { message, decided, hooks } = finishing
  const tree = await resolvedTree(repository, merge, decided)
  await hooks.checkTree('pre-merge-commit', tree)
  const text = await hooks.editMessage(message, 'merge')
  return writeCommit(repository, { tree, parents: [merge.ours, merge.theirs], message: text })
}

const maxHunkTokens = 250

function showPlan({ state, plan, ours, theirs, isFastForward, conflicts }: MergePlan, ref: string) {
  const shown = conflicts.map(({ path, kind, hunks }): Conflict => {
    const cut = (text: string | undefined) =>
      text === undefined ? undefined : shownText(text, { maxTokens: maxHunkTokens, all: 'see the file at both refs' })
    return {
      path,
      kind,
      hunks: hunks.map(({ hunk, line, base, ours: one, theirs: other }) => ({
        hunk,
        ...(line !== undefined && { line }),
        ...(one !== undefined && { base: cut(base) ?? '', ours: cut(one) ?? '', theirs: cut(other) ?? '' }),
      })),
    }
  })
  const { items, left } = fitItems(shown, 1_900)
  const structured = {
    state,
    plan,
    ours,
    theirs,
    ...(isFastForward && { fastForward: true }),
    conflicts: items,
    ...(left > 0 && {
      conflictsLeft: left,
      paths: conflicts
        .slice(-left)
        .map(({ path }) => path)
        .slice(0, 50),
    }),
  }
  const next =
    state === 'clean' ? `Merge it: merge_ref ${JSON.stringify({ ref, plan })}` : `Resolve every hunk, plan ${plan}`
  const lines = [
    `${state}${isFastForward ? ' (fast-forward)' : ''}: ${quoted(ref)} ${shortId(theirs)} into ${shortId(ours)}`,
    ...items.flatMap(conflictLines),
    ...(left > 0 ? [`[${left} more files]`] : []),
    ...(state === 'upToDate' ? [] : [next]),
  ]
  return reply(lines.join('\n'), { structured })
}

function conflictLines({ path, kind, hunks }: Conflict): readonly string[] {
  return hunks.flatMap(({ hunk, line, base, ours, theirs }) => [
    `${path}${line === undefined ? '' : `:${line}`} (${kind}), hunk ${hunk}${ours === undefined ? ', taken whole' : ''}`,
    ...(ours === undefined ? [] : [`ours:\n${ours}`, `base:\n${base}`, `theirs:\n${theirs}`]),
  ])
}

/** Rounds of questions about files; a call may ask in ten, and hooks are asked about too. */
const maxRounds = 8

/** Asks the person about each file, where the client can ask: one after the other, or some at a time where there are many. */
async function askFor(ctx: Context, { conflicts }: MergePlan): Promise<readonly Resolution[]> {
  if (conflicts.length === 0 || ctx.caller.capabilities?.elicitation === undefined) return []
  const answers: Resolution[] = []
  const together = Math.ceil(conflicts.length / maxRounds)
  for (let at = 0; at < conflicts.length; at += together) {
    const round = conflicts.slice(at, at + together).map((conflict) => askAbout(ctx, conflict))
    answers.push(...(await Promise.all(round)).flat())
  }
  return answers
}

async function askAbout(ctx: Context, { path, kind, hunks, pieces }: OpenConflict): Promise<readonly Resolution[]> {
  const sides = pieces === undefined ? ['ours', 'theirs'] : ['ours', 'theirs', 'both']
  const nameOf = (at: number) => `hunk${at + 1}`
  const properties = Object.fromEntries(
    hunks.map(({ hunk, line, ours = '', theirs = '' }, at) => {
      const where = line === undefined ? 'The whole file' : `From line ${line}`
      const description = `${where}. Ours: ${quoted(ours, 300)} Theirs: ${quoted(theirs, 300)}`
      return [nameOf(at), { type: 'string', title: `Hunk ${hunk}`, description, enum: sides }]
    }),
  )
  const schema = { type: 'object', properties, required: hunks.map((_, at) => nameOf(at)) } as const
  const answer: { readonly [name: string]: unknown } = await ctx.elicit(
    `Which side of ${quoted(path)} (${kind}) do you want?`,
    schema as { readonly type: 'object' },
    { key: `merge-${hunks[0]?.hunk}` },
  )
  return hunks.map(({ hunk }, at) => ({ hunk, take: answer[nameOf(at)] as 'ours' | 'theirs' | 'both' }))
}
