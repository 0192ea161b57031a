import { type Context, reply } from '@trunkline/mcp'
import { fitItems } from '@trunkline/server-kit/cut-text'
import { explained } from '@trunkline/server-kit/tool-problem'
import { readChecks } from './checks.ts'
import { commentLines, lastComments, shownBy } from './comments.ts'
import { type GithubServer, type GithubSetup, type MeantRepo, meantWords, pull, readingHints } from './github-setup.ts'
import { readPullFiles, showFile } from './pull-files.ts'
import { fullName, githubUri } from './references.ts'
import { cutLine, day } from './shown.ts'

const parts = ['body', 'files', 'reviews', 'comments'] as const
type Part = (typeof parts)[number]

/** Offers the tool that shows a pull request. */
export function offerGetPull(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'get_pull',
    {
      description:
        'Shows a pull request: state, checks, reviews, files. Patches are resources: github://owner/name/pull/7/diff',
      annotations: readingHints,
      input: {
        type: 'object',
        properties: {
          pull,
          include: { type: 'array', items: { enum: parts }, description: 'Default: body, files' },
        },
        required: ['pull'],
        additionalProperties: false,
      },
    },
    explained(async ({ pull: given, include }, ctx: Context) => {
      const { meant, number } = await setup.openItem(ctx, given)
      const shown = await readPull(setup, meant, { number, include: include ?? ['body', 'files'] })
      return reply(pullLines(shown, meant).join('\n'), { structured: shown })
    }),
  )
}

/** A pull request as it is shown. */
export async function readPull(
  setup: GithubSetup,
  meant: MeantRepo,
  { number, include }: { readonly number: number; readonly include: readonly Part[] },
) {
  const { owner, repo, request } = meant
  const at = { owner, repo, pull_number: number }
  const [{ data }, reviews] = await Promise.all([
    request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at),
    readReviews(meant, number),
  ])
  const all = githubUri(meant, 'pull', number)
  const body = await shownBy(setup, meant, data, { maxTokens: 600, all })
  const checks = await readChecks(meant, data.head.sha)
  const files = include.includes('files') ? await readPullFiles(setup, meant, number) : undefined
  const fitting =
    files &&
    fitItems(
      files.map(({ patch: _patch, ...file }) => file),
      600,
    )
  const comments = include.includes('comments')
    ? await lastComments(setup, meant, { number, total: data.comments, count: 5, all })
    : undefined
  const shownReviews = include.includes('reviews')
    ? await Promise.all(
        reviews.slice(-5).map(async (review) => ({
          id: review.id,
          ...(await shownBy(setup, meant, review, { maxTokens: 100, all })),
          state: review.state.toLowerCase(),
          date: day(review.submitted_at),
        })),
      )
    : undefined
  return {
    repo: fullName(meant),
    number,
    title: setup.outsiders.shown(cutLine(data.title, 200), body.isOutsider),
    author: body.author,
    isOutsider: body.isOutsider,
    state: data.merged ? 'merged' : data.state,
    ...(data.draft && { draft: true }),
    base: data.base.ref,
    head: data.head.label ?? data.head.ref,
    sha: data.head.sha,
    mergeable: data.mergeable ?? 'unknown',
    checks: checks.state,
    reviewDecision: decisionOf(reviews),
    ...(include.includes('body') && { body: body.text }),
    ...(fitting && { files: fitting.items, ...(fitting.left > 0 && { filesLeft: fitting.left }) }),
    ...(shownReviews && { reviews: shownReviews }),
    ...(comments && { comments }),
    link: data.html_url,
  }
}

function pullLines(shown: Awaited<ReturnType<typeof readPull>>, meant: MeantRepo): readonly string[] {
  const { repo, number, title, state, draft, author, isOutsider, base, head, sha, mergeable } = shown
  return [
    `${repo}#${number} ${title}`,
    `${state}${draft ? ', draft' : ''}, by ${author}${isOutsider ? ' (outsider)' : ''}, ${head} → ${base}`,
    `head ${sha}, mergeable ${mergeable}, checks ${shown.checks}, reviews ${shown.reviewDecision}`,
    ...(meant.isProposed ? [`in ${meantWords(meant)}`] : []),
    ...(shown.body === undefined ? [] : ['', shown.body]),
    ...(shown.files === undefined ? [] : ['', ...shown.files.map(showFile)]),
    ...(shown.filesLeft === undefined
      ? []
      : [`[${shown.filesLeft} more files: ${githubUri(meant, 'pull', number, 'diff')}]`]),
    ...(shown.reviews ?? []).flatMap((review) => [
      '',
      `${review.author} ${review.state}, ${review.date}:`,
      review.text,
    ]),
    ...(shown.comments ?? []).flatMap(commentLines),
  ]
}

interface Review {
  readonly id: number
  readonly user: { readonly login: string } | null
  readonly author_association: string
  readonly body: string | null
  readonly state: string
  readonly submitted_at?: string
}

async function readReviews({ request, owner, repo }: MeantRepo, number: number): Promise<readonly Review[]> {
  const at = { owner, repo, pull_number: number, per_page: 100 }
  const { data } = await request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', at)
  return data as readonly Review[]
}

/** The decision of the last review of each person; remarks alone decide nothing. */
function decisionOf(reviews: readonly Review[]): 'changes_requested' | 'approved' | 'none' {
  const last = new Map<string, string>()
  for (const { user, state } of reviews)
    if (state !== 'COMMENTED' && state !== 'PENDING') last.set(user?.login ?? '', state)
  const states = [...last.values()]
  if (states.includes('CHANGES_REQUESTED')) return 'changes_requested'
  return states.includes('APPROVED') ? 'approved' : 'none'
}
