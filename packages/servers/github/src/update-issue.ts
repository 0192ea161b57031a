import { type Context, reply } from '@trunkline/mcp'
import { quoted, undoLine } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type GithubServer, type GithubSetup, pull, writingHints } from './github-setup.ts'
import { fullName } from './references.ts'
import { beforeWrite, effects, longText, planFor, type WriteTarget } from './writing.ts'

/** Changes of an issue that a caller asks for. */
interface IssueChange {
  readonly issue: unknown
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly assignees?: readonly string[] | undefined
}

/** Members of an issue before a change. */
interface IssueBefore {
  readonly title: string
  readonly body: string
  readonly state: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
}

/** Names of labels or people. */
export const names = { type: 'array', items: { type: 'string' }, maxItems: 20 } as const

/** Offers the tool that changes an issue or pull request. */
export function offerUpdateIssue(github: GithubServer, setup: GithubSetup): void {
  const open = async (ctx: Context, { issue }: IssueChange) => {
    const { meant, number } = await setup.openItem(ctx, issue)
    const target = await setup.target(meant)
    return { target, number, before: await readBefore(target, number) }
  }
  github.tool(
    'update_issue',
    {
      description: 'Changes an issue or pull request: title, text, state, labels, assignees.',
      annotations: { ...writingHints, idempotentHint: true },
      effects,
      preview: async (input, ctx) => {
        const change = input as IssueChange
        const { target, number, before } = await open(ctx, change)
        return planFor(setup, target, {
          changes: [`changes #${number}`, ...changeLines(change, before)],
          request: { patch: `/repos/${fullName(target)}/issues/${number}`, ...patchOf(change, before) },
        })
      },
      input: {
        type: 'object',
        properties: {
          issue: pull,
          title: { type: 'string', minLength: 1, maxLength: 256 },
          body: longText,
          state: { enum: ['open', 'closed'] },
          addLabels: names,
          removeLabels: names,
          assignees: { ...names, description: 'All of them' },
        },
        required: ['issue'],
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const change = input as IssueChange
      const { target, number, before } = await open(ctx, change)
      const patch = patchOf(change, before)
      const changed = Object.keys(patch)
      if (changed.length === 0) throw new ToolProblem('refused', `Cannot change #${number}: nothing would be different`)
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo } = target
      await request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
        owner,
        repo,
        issue_number: number,
        ...patch,
      })
      const undo = { tool: 'update_issue', arguments: undoOf(`${fullName(target)}#${number}`, patch, before) }
      const structured = { repo: fullName(target), number, changed, undo }
      return reply(`Changed ${changed.join(', ')} of ${fullName(target)}#${number}\n${undoLine(undo)}`, { structured })
    }),
  )
}

async function readBefore({ request, owner, repo }: WriteTarget, number: number): Promise<IssueBefore> {
  const { data } = await request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    owner,
    repo,
    issue_number: number,
  })
  return {
    title: data.title,
    body: data.body ?? '',
    state: data.state,
    labels: data.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
    assignees: (data.assignees ?? []).map(({ login }) => login),
  }
}

/** One request with the members that would differ. */
function patchOf(change: IssueChange, before: IssueBefore) {
  const { title, body, state, addLabels = [], removeLabels = [], assignees } = change
  const gone = new Set(removeLabels.map((name) => name.toLowerCase()))
  const labels = [...new Set([...before.labels, ...addLabels])].filter((name) => !gone.has(name.toLowerCase()))
  const differs = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join('\n') !== [...other].sort().join('\n')
  return {
    ...(title !== undefined && title !== before.title && { title }),
    ...(body !== undefined && body !== before.body && { body }),
    ...(state !== undefined && state !== before.state && { state }),
    ...(differs(labels, before.labels) && { labels }),
    ...(assignees !== undefined && differs(assignees, before.assignees) && { assignees: [...assignees] }),
  }
}

function changeLines(change: IssueChange, before: IssueBefore): readonly string[] {
  const patch: { readonly [name: string]: unknown } = patchOf(change, before)
  const shown = (value: unknown) => quoted(Array.isArray(value) ? value.join(', ') : `${value}`, 1_000)
  return Object.keys(patch).map(
    (name) => `${name}: ${shown(before[name as keyof IssueBefore])} → ${shown(patch[name])}`,
  )
}

function undoOf(issue: string, patch: ReturnType<typeof patchOf>, before: IssueBefore) {
  const { title, body, state, labels, assignees } = patch
  const added = (labels ?? []).filter((name) => !before.labels.includes(name))
  const removed = labels === undefined ? [] : before.labels.filter((name) => !labels.includes(name))
  return {
    issue,
    ...(title !== undefined && { title: before.title }),
    ...(body !== undefined && { body: before.body }),
    ...(state !== undefined && { state: before.state }),
    ...(removed.length > 0 && { addLabels: removed }),
    ...(added.length > 0 && { removeLabels: added }),
    ...(assignees !== undefined && { assignees: before.assignees }),
  }
}
