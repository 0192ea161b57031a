import { type Context, reply } from '@trunkline/mcp'
import { explained } from '@trunkline/server-kit/tool-problem'
import { commentLines, lastComments, shownBy } from './comments.ts'
import { type GithubServer, type GithubSetup, type MeantRepo, meantWords, pull, readingHints } from './github-setup.ts'
import { offerGetPull } from './pull-tool.ts'
import { fullName, githubUri } from './references.ts'
import { cutLine, labelNames } from './shown.ts'

/** Offers the tools that show one issue or pull request. */
export function offerItems(github: GithubServer, setup: GithubSetup): void {
  offerGetPull(github, setup)
  github.tool(
    'get_issue',
    {
      description: 'Shows an issue with its last comments.',
      annotations: readingHints,
      input: {
        type: 'object',
        properties: {
          issue: pull,
          comments: { type: 'integer', minimum: 0, maximum: 20, default: 5, description: 'How many of the last' },
        },
        required: ['issue'],
        additionalProperties: false,
      },
    },
    explained(async ({ issue, comments = 5 }, ctx: Context) => {
      const { meant, number } = await setup.openItem(ctx, issue)
      const structured = await readIssue(setup, meant, { number, comments })
      const { title, author, isOutsider, state, labels, assignees, body } = structured
      const lines = [
        `${structured.repo}#${number} ${title}`,
        [
          state,
          `by ${author}${isOutsider ? ' (outsider)' : ''}`,
          ...labels,
          ...assignees.map((name) => `@${name}`),
        ].join(', '),
        ...(meant.isProposed ? [`in ${meantWords(meant)}`] : []),
        '',
        body,
        ...structured.comments.flatMap(commentLines),
      ]
      return reply(lines.join('\n'), { structured })
    }),
  )
}

/** An issue as it is shown. */
export async function readIssue(
  setup: GithubSetup,
  meant: MeantRepo,
  options: { readonly number: number; readonly comments: number },
) {
  const { number, comments } = options
  const { owner, repo, request } = meant
  const { data } = await request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    owner,
    repo,
    issue_number: number,
  })
  const all = githubUri(meant, 'issue', number)
  const written = { user: data.user, author_association: data.author_association, body: data.body ?? null }
  const body = await shownBy(setup, meant, written, { maxTokens: 900, all })
  return {
    repo: fullName(meant),
    number: data.number,
    title: setup.outsiders.shown(cutLine(data.title, 200), body.isOutsider),
    author: body.author,
    isOutsider: body.isOutsider,
    state: data.state,
    labels: labelNames(data.labels),
    assignees: (data.assignees ?? []).map(({ login }) => login).slice(0, 10),
    body: body.text,
    comments: await lastComments(setup, meant, { number, total: data.comments, count: comments, all }),
    link: data.html_url,
  }
}
