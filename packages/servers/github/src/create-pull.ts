import { type Context, reply } from '@trunkline/mcp'
import { shownText } from '@trunkline/server-kit/cut-text'
import { quoted, undoLine } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { destroyingHints, type GithubServer, type GithubSetup, repoArgument } from './github-setup.ts'
import { changedFile, diffText, type ListedFile, showFile } from './pull-files.ts'
import { checkedRef, fullName } from './references.ts'
import { names } from './update-issue.ts'
import { beforeWrite, effects, longText, planFor, textLines, type WriteTarget } from './writing.ts'

interface PullInput {
  readonly title: string
  readonly body?: string | undefined
  readonly head?: string | undefined
  readonly base?: string | undefined
  readonly draft?: boolean | undefined
  readonly reviewers?: readonly string[] | undefined
  readonly repo?: string | undefined
}

/** Offers the tool that opens a pull request. */
export function offerCreatePull(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'create_pull',
    {
      description: 'Opens a pull request, as a draft unless told otherwise. Others are notified.',
      annotations: destroyingHints,
      effects,
      preview: async (input, ctx) => {
        const { target, head, base } = await openSides(setup, ctx, input)
        return planFor(setup, target, {
          changes: [
            `opens a pull request${input.draft === false ? '' : ' as a draft'}: ${quoted(input.title)}, ${quoted(head)} → ${quoted(base)}`,
            ...textLines('text', input.body),
            ...((input.reviewers ?? []) as readonly string[]).map((name) => `asks ${quoted(name)} for a review`),
            ...(await comparison(target, { head, base })),
          ],
          request: { post: `/repos/${fullName(target)}/pulls`, ...pullBody(input, { head, base }) },
        })
      },
      input: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 256 },
          body: longText,
          head: { type: 'string', description: 'Branch, or owner:branch; default: that of your folder' },
          base: { type: 'string', description: 'Default: the default branch' },
          draft: { type: 'boolean', default: true },
          reviewers: names,
          repo: repoArgument,
        },
        required: ['title'],
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const { target, head, base } = await openSides(setup, ctx, input)
      await beforeWrite(setup, ctx, target)
      const { request, owner, repo: name } = target
      const body = pullBody(input, { head, base })
      const { data } = await request('POST /repos/{owner}/{repo}/pulls', { owner, repo: name, ...body })
      const notes = await askReviewers(target, data.number, input.reviewers ?? [])
      const undo = { tool: 'update_issue', arguments: { issue: `${fullName(target)}#${data.number}`, state: 'closed' } }
      const structured = {
        repo: fullName(target),
        number: data.number,
        link: data.html_url,
        undo,
        ...(notes.length > 0 && { notes }),
      }
      const lines = [`Opened ${fullName(target)}#${data.number}: ${data.html_url}`, ...notes, undoLine(undo)]
      return reply(lines.join('\n'), { structured })
    }),
  )
}

/** Both sides; the branch of the folder is proposed only for the repository of its remote. */
async function openSides(setup: GithubSetup, ctx: Context, input: PullInput) {
  const target = await setup.target(await setup.open(ctx, input.repo))
  const proposal = input.head === undefined ? await setup.proposal(ctx) : undefined
  const isSame = proposal !== undefined && fullName(proposal.repo).toLowerCase() === fullName(target).toLowerCase()
  const head = input.head ?? (isSame ? proposal.branch : undefined)
  if (head === undefined)
    throw new ToolProblem('refused', 'Cannot open a pull request: name its "head"', {
      next: 'Push a branch first, then name it',
    })
  const { request, owner, repo: name } = target
  const base = input.base ?? (await request('GET /repos/{owner}/{repo}', { owner, repo: name })).data.default_branch
  const [, fork, branch = head] = /^([\w-]+):(.+)$/.exec(head) ?? []
  checkedRef(branch)
  // what comes from a private fork is private text as well
  if (fork !== undefined && fork.toLowerCase() !== owner.toLowerCase()) setup.crossing.note({ owner: fork, repo: name })
  return { target, head, base: checkedRef(base) }
}

function pullBody({ title, body, draft = true }: PullInput, sides: { readonly head: string; readonly base: string }) {
  return { title, head: sides.head, base: sides.base, draft, ...(body !== undefined && { body }) }
}

/** Commits, files and the difference that would be proposed. */
async function comparison({ request, owner, repo: name }: WriteTarget, { head, base }: { head: string; base: string }) {
  const at = { owner, repo: name, basehead: `${base}...${head}` }
  const { data } = await request('GET /repos/{owner}/{repo}/compare/{basehead}', at)
  const files = ((data.files ?? []) as readonly ListedFile[]).map(changedFile)
  const diff = shownText(diffText(files), { maxTokens: 1_500, all: 'the pull request shows all of it' })
  return [
    `${data.total_commits} commits, ${files.length} files:`,
    ...data.commits
      .slice(-20)
      .map(({ sha, commit }) => `${sha.slice(0, 12)} ${quoted(commit.message.split('\n')[0] ?? '')}`),
    ...files.slice(0, 50).map((file) => quoted(showFile(file))),
    ...diff.split('\n').map((line) => quoted(line, 400)),
  ]
}

/** Asks people for a review; the pull request is open already, so that a refusal is told and undoes nothing. */
async function askReviewers({ request, owner, repo: name }: WriteTarget, number: number, reviewers: readonly string[]) {
  if (reviewers.length === 0) return []
  const at = { owner, repo: name, pull_number: number, reviewers: [...reviewers] }
  return request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', at).then(
    () => [],
    (error: Error) => [`The reviewers were not asked: ${error.message}`],
  )
}
