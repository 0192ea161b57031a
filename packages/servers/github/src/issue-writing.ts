import { type Context, reply } from '@trunkline/mcp'
import { quoted, undoLine } from '@trunkline/server-kit/preview'
import { explained } from '@trunkline/server-kit/tool-problem'
import { destroyingHints, type GithubServer, type GithubSetup, pull, repoArgument } from './github-setup.ts'
import { fullName } from './references.ts'
import { names, offerUpdateIssue } from './update-issue.ts'
import { beforeWrite, effects, longText, planFor, textLines } from './writing.ts'

/** Offers the tools that write to issues and comment. */
export function offerIssueWriting(github: GithubServer, setup: GithubSetup): void {
  offerCreateIssue(github, setup)
  offerUpdateIssue(github, setup)
  offerAddComment(github, setup)
}

function offerCreateIssue(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'create_issue',
    {
      description: 'Opens an issue. Others are notified.',
      annotations: destroyingHints,
      effects,
      preview: async (input, ctx) => {
        const target = await setup.target(await setup.open(ctx, input.repo))
        const { labels = [], assignees = [] } = input
        return planFor(setup, target, {
          changes: [
            `opens the issue ${quoted(input.title)}`,
            ...textLines('text', input.body),
            ...(labels.length > 0 ? [`labels: ${labels.map((each: string) => quoted(each)).join(', ')}`] : []),
            ...(assignees.length > 0
              ? [`assigned to: ${assignees.map((each: string) => quoted(each)).join(', ')}`]
              : []),
          ],
          request: { post: `/repos/${fullName(target)}/issues`, ...issueBody(input) },
        })
      },
      input: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 256 },
          body: longText,
          labels: names,
          assignees: names,
          repo: repoArgument,
        },
        required: ['title'],
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const target = await setup.target(await setup.open(ctx, input.repo))
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo: name } = target
      const { data } = await request('POST /repos/{owner}/{repo}/issues', { owner, repo: name, ...issueBody(input) })
      const undo = { tool: 'update_issue', arguments: { issue: `${fullName(target)}#${data.number}`, state: 'closed' } }
      const structured = { repo: fullName(target), number: data.number, link: data.html_url, undo }
      return reply(`Opened ${fullName(target)}#${data.number}: ${data.html_url}\n${undoLine(undo)}`, { structured })
    }),
  )
}

interface IssueInput {
  readonly title: string
  readonly body?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly assignees?: readonly string[] | undefined
}

function issueBody({ title, body, labels, assignees }: IssueInput) {
  return {
    title,
    ...(body !== undefined && { body }),
    ...(labels && { labels: [...labels] }),
    ...(assignees && { assignees: [...assignees] }),
  }
}

function offerAddComment(github: GithubServer, setup: GithubSetup): void {
  const open = async (ctx: Context, item: unknown) => {
    const { meant, number } = await setup.openItem(ctx, item)
    return { target: await setup.target(meant), number }
  }
  github.tool(
    'add_comment',
    {
      description: 'Comments on an issue or pull request. Others are notified.',
      annotations: destroyingHints,
      effects,
      preview: async ({ item, text: given, replyTo }, ctx) => {
        const { target, number } = await open(ctx, item)
        const { owner, repo: name, request } = target
        const at = { owner, repo: name, issue_number: number }
        const { data } = await request('GET /repos/{owner}/{repo}/issues/{issue_number}', at)
        const path = replyTo === undefined ? `issues/${number}/comments` : `pulls/${number}/comments/${replyTo}/replies`
        return planFor(setup, target, {
          changes: [
            `comments on #${number} ${quoted(setup.outsiders.rule === 'hide' ? '' : data.title)}${replyTo === undefined ? '' : ` in reply to ${replyTo}`}`,
            ...textLines('text', given),
          ],
          request: { post: `/repos/${fullName(target)}/${path}`, body: given },
        })
      },
      input: {
        type: 'object',
        properties: {
          item: pull,
          text: { ...longText, minLength: 1 },
          replyTo: { type: 'integer', minimum: 1, description: 'Id of a comment in the review of a pull request' },
        },
        required: ['item', 'text'],
        additionalProperties: false,
      },
    },
    explained(async ({ item, text: body, replyTo }, ctx: Context) => {
      const { target, number } = await open(ctx, item)
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo: name } = target
      const at = { owner, repo: name, body }
      const { data } =
        replyTo === undefined
          ? await request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...at, issue_number: number })
          : await request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', {
              ...at,
              pull_number: number,
              comment_id: replyTo,
            })
      const structured = { repo: fullName(target), id: data.id, link: data.html_url }
      return reply(`Commented on ${fullName(target)}#${number}: ${data.html_url}`, { structured })
    }),
  )
}
