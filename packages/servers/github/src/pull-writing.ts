import { type Context, reply } from '@trunkline/mcp'
import { quoted } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { offerCreatePull } from './create-pull.ts'
import { destroyingHints, type GithubServer, type GithubSetup, pull } from './github-setup.ts'
import { fullName } from './references.ts'
import { beforeWrite, effects, longText, planFor, textLines, type WriteTarget } from './writing.ts'

/** Offers the tools that open, review and merge pull requests. */
export function offerPullWriting(github: GithubServer, setup: GithubSetup): void {
  offerCreatePull(github, setup)
  offerReviewPull(github, setup)
  offerMergePull(github, setup)
}

const sha = { type: 'string', pattern: '^[0-9a-f]{40,64}$', description: 'Head that you read' } as const
const reviewEvents = { comment: 'COMMENT', approve: 'APPROVE', requestChanges: 'REQUEST_CHANGES' } as const
const events = ['comment', 'approve', 'requestChanges'] as const

const remarks = {
  type: 'array',
  maxItems: 50,
  items: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      line: { type: 'integer', minimum: 1 },
      side: { enum: ['LEFT', 'RIGHT'], default: 'RIGHT' },
      text: { type: 'string' },
    },
    required: ['path', 'line', 'text'],
    additionalProperties: false,
  },
} as const

interface Remark {
  readonly path: string
  readonly line: number
  readonly side?: 'LEFT' | 'RIGHT'
  readonly text: string
}

function offerReviewPull(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'review_pull',
    {
      description: 'Reviews a pull request with remarks on lines. Others are notified.',
      annotations: destroyingHints,
      effects,
      preview: async ({ pull: given, sha: wanted, event, text: body, comments = [] }, ctx) => {
        const { target, number, title } = await openPull(setup, ctx, { given, wanted })
        return planFor(setup, target, {
          changes: [
            `reviews #${number} ${quoted(title)} at ${wanted.slice(0, 12)}: ${event}`,
            ...textLines('text', body),
            ...(comments as readonly Remark[]).map(
              (remark) => `${quoted(remark.path)}:${remark.line}: ${quoted(remark.text, 500)}`,
            ),
          ],
          request: {
            post: `/repos/${fullName(target)}/pulls/${number}/reviews`,
            ...reviewBody({ wanted, event, body, comments }),
          },
        })
      },
      input: {
        type: 'object',
        properties: { pull, sha, event: { enum: events }, text: longText, comments: remarks },
        required: ['pull', 'sha', 'event'],
        additionalProperties: false,
      },
    },
    explained(async ({ pull: given, sha: wanted, event, text: body, comments = [] }, ctx: Context) => {
      const { target, number } = await openPull(setup, ctx, { given, wanted })
      if (event !== 'approve' && !body && comments.length === 0)
        throw new ToolProblem('refused', 'Cannot review: write "text" or "comments"')
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo } = target
      const { data } = await request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
        owner,
        repo,
        pull_number: number,
        ...reviewBody({ wanted, event, body, comments }),
      })
      const structured = { repo: fullName(target), id: data.id, link: data.html_url }
      return reply(`Reviewed ${fullName(target)}#${number}: ${data.html_url}`, { structured })
    }),
  )
}

function reviewBody(given: {
  readonly wanted: string
  readonly event: (typeof events)[number]
  readonly body: string | undefined
  readonly comments: readonly Remark[]
}) {
  const { wanted, event, body, comments } = given
  return {
    commit_id: wanted,
    event: reviewEvents[event],
    ...(body && { body }),
    ...(comments.length > 0 && {
      comments: comments.map(({ path, line, side = 'RIGHT', text: remark }) => ({ path, line, side, body: remark })),
    }),
  }
}

function offerMergePull(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'merge_pull',
    {
      description: 'Merges a pull request whose head is "sha".',
      annotations: destroyingHints,
      effects,
      preview: async ({ pull: given, sha: wanted, method = 'merge' }, ctx) => {
        const { target, number, title, head, base } = await openPull(setup, ctx, { given, wanted })
        return planFor(setup, target, {
          changes: [
            `merges #${number} ${quoted(title)} (${method}): ${quoted(head)} at ${wanted.slice(0, 12)} into ${quoted(base)}`,
          ],
          request: { put: `/repos/${fullName(target)}/pulls/${number}/merge`, sha: wanted, merge_method: method },
        })
      },
      input: {
        type: 'object',
        properties: { pull, sha, method: { enum: ['merge', 'squash', 'rebase'], default: 'merge' } },
        required: ['pull', 'sha'],
        additionalProperties: false,
      },
    },
    explained(async ({ pull: given, sha: wanted, method = 'merge' }, ctx: Context) => {
      const { target, number, link } = await openPull(setup, ctx, { given, wanted })
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo } = target
      const { data } = await request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
        owner,
        repo,
        pull_number: number,
        sha: wanted,
        merge_method: method,
      })
      const structured = { repo: fullName(target), sha: data.sha, link }
      return reply(`Merged ${fullName(target)}#${number} as ${data.sha}: ${link}`, { structured })
    }),
  )
}

/** A pull request that may be written to and whose head is the one that was read. */
async function openPull(
  setup: GithubSetup,
  ctx: Context,
  { given, wanted }: { readonly given: unknown; readonly wanted: string },
): Promise<{ target: WriteTarget; number: number; title: string; head: string; base: string; link: string }> {
  const { meant, number } = await setup.openItem(ctx, given)
  const target = await setup.target(meant)
  const { request, owner, repo } = target
  const { data } = await request('GET /repos/{owner}/{repo}/pulls/{pull_number}', { owner, repo, pull_number: number })
  if (data.head.sha !== wanted)
    throw new ToolProblem('conflict', `Cannot go on with #${number}: its head is ${data.head.sha}, not ${wanted}`, {
      next: 'Read the pull request again; nothing was changed',
    })
  const title = setup.outsiders.rule === 'hide' ? '' : data.title
  return { target, number, title, head: data.head.label ?? data.head.ref, base: data.base.ref, link: data.html_url }
}
