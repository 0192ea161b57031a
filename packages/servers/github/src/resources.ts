import type { ReadContext, ResourceContents } from '@trunkline/mcp'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { completers } from './complete-addresses.ts'
import type { GithubServer, GithubSetup, MeantRepo } from './github-setup.ts'
import { hiddenText } from './outsiders.ts'
import { changedFile, diffText, type ListedFile, readPullFiles, showFile } from './pull-files.ts'
import { readRepoFile, textOf } from './read-file.ts'
import { checkedRef, parseItem, parseRepo } from './references.ts'

/** Lines of a log that are shown: the last ones. */
const maxLogLines = 100
const maxComments = 100

type Address = { readonly owner: string; readonly repo: string }

/** Offers pull requests, issues, commits, files and logs as resources. */
export function offerResources(github: GithubServer, setup: GithubSetup): void {
  const complete = completers(setup)
  const open = (given: Address, ctx: ReadContext) =>
    setup.open(ctx, parseRepo(`${given.owner}/${given.repo}`, setup.api.webHost))
  const numberOf = (text: string) => parseItem(text, setup.api.webHost).number
  const base = 'github://{owner}/{repo}'
  const ofPulls = { owner: complete.owner, repo: complete.repo, number: complete.pull }

  github.template(
    `${base}/pull/{number}`,
    { name: 'pull request', mimeType: 'text/markdown', complete: ofPulls },
    async (given, ctx) =>
      textAt(ctx, await threadText(setup, await open(given as Address, ctx), numberOf(given.number)), 'text/markdown'),
  )
  github.template(
    `${base}/pull/{number}/diff`,
    { name: 'pull request difference', mimeType: 'text/x-diff', complete: ofPulls },
    async (given, ctx) => {
      const files = await visibleFiles(setup, await open(given as Address, ctx), numberOf(given.number))
      return textAt(ctx, diffText(files), 'text/x-diff')
    },
  )
  github.template(
    `${base}/pull/{number}/file/{+path}`,
    { name: 'pull request file', mimeType: 'text/x-diff', complete: ofPulls },
    async (given, ctx) => {
      const files = await visibleFiles(setup, await open(given as Address, ctx), numberOf(given.number))
      const file = files.find(({ path }) => path === given.path)
      if (file === undefined)
        throw new ToolProblem('not_found', `Cannot find this file in pull request ${given.number}`)
      return textAt(ctx, diffText([file]), 'text/x-diff')
    },
  )
  const ofIssues = { owner: complete.owner, repo: complete.repo, number: complete.issue }
  github.template(
    `${base}/issue/{number}`,
    { name: 'issue', mimeType: 'text/markdown', complete: ofIssues },
    async (given, ctx) =>
      textAt(ctx, await threadText(setup, await open(given as Address, ctx), numberOf(given.number)), 'text/markdown'),
  )
  const ofCommits = { owner: complete.owner, repo: complete.repo, sha: complete.sha }
  github.template(
    `${base}/commit/{sha}`,
    { name: 'commit', mimeType: 'text/plain', complete: ofCommits },
    async (given, ctx) => textAt(ctx, await commitText(setup, await open(given as Address, ctx), given.sha)),
  )
  const ofFiles = { owner: complete.owner, repo: complete.repo, ref: complete.ref, path: complete.path }
  github.template(`${base}/file/{ref}/{+path}`, { name: 'file', complete: ofFiles }, async (given, ctx) => {
    const meant = await open(given as Address, ctx)
    // HEAD is the default branch
    const ref = given.ref === 'HEAD' ? undefined : checkedRef(given.ref)
    const file = await readRepoFile(setup, meant, { path: given.path, ref })
    if (file.kind === 'folder') return textAt(ctx, file.entries.join('\n'))
    const text = textOf(file.bytes)
    if (text !== undefined) return textAt(ctx, text)
    return { uri: ctx.uri, mimeType: 'application/octet-stream', blob: file.bytes.toString('base64') }
  })
  const ofRepos = { owner: complete.owner, repo: complete.repo }
  github.template(
    `${base}/run/{id}/log`,
    { name: 'log of a check', mimeType: 'text/plain', complete: ofRepos },
    async (given, ctx) => textAt(ctx, await logText(await open(given as Address, ctx), numberOf(given.id))),
  )
}

function textAt({ uri }: ReadContext, text: string, mimeType = 'text/plain'): ResourceContents {
  return { uri, mimeType, text }
}

/** An issue or pull request with its first comments, whole. */
async function threadText(setup: GithubSetup, meant: MeantRepo, number: number): Promise<string> {
  const { owner, repo, request } = meant
  const at = { owner, repo, issue_number: number }
  const [{ data }, { data: comments }] = await Promise.all([
    request('GET /repos/{owner}/{repo}/issues/{issue_number}', at),
    request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...at, per_page: maxComments }),
  ])
  const shown = async (
    each: Parameters<typeof setup.outsiders.isOutside>[2] & { body?: string | null; title?: string },
  ) => {
    const isOutsider = await setup.outsiders.isOutside(request, meant, each)
    const who = `${each.user?.login ?? 'ghost'}${isOutsider ? ' (outsider)' : ''}`
    return {
      who,
      text: setup.outsiders.shown(each.body ?? '', isOutsider),
      title: setup.outsiders.shown(each.title ?? '', isOutsider),
    }
  }
  const first = await shown({ ...data, body: data.body ?? null, user: data.user })
  const rest = await Promise.all(comments.map((comment) => shown({ ...comment, body: comment.body ?? null })))
  const left = data.comments - comments.length
  return [
    `# ${first.title} (#${number}, ${data.state})`,
    `${first.who}:`,
    first.text,
    ...rest.flatMap(({ who, text }) => ['', '---', `${who}:`, text]),
    ...(left > 0 ? ['', `[${left} more comments: ${data.html_url}]`] : []),
  ].join('\n')
}

/** The files of a pull request; hidden if an outsider opened it and such text is left out. */
async function visibleFiles(setup: GithubSetup, meant: MeantRepo, number: number) {
  const { outsiders } = setup
  if (outsiders.rule === 'hide') {
    const { owner, repo, request } = meant
    const { data } = await request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      owner,
      repo,
      pull_number: number,
    })
    if (await outsiders.isOutside(request, meant, data))
      throw new ToolProblem('refused', `Cannot show this: ${hiddenText}`)
  }
  return readPullFiles(setup, meant, number)
}

async function commitText(setup: GithubSetup, meant: MeantRepo, given: string): Promise<string> {
  const { owner, repo, request } = meant
  const { data } = await request('GET /repos/{owner}/{repo}/commits/{ref}', { owner, repo, ref: checkedRef(given) })
  const login = data.author && 'login' in data.author ? `${data.author.login}` : undefined
  const isOutsider = await setup.outsiders.isOutside(request, meant, {
    user: login === undefined ? undefined : { login },
  })
  if (setup.outsiders.rule === 'hide' && isOutsider) return `commit ${data.sha}\n${hiddenText}`
  const files = ((data.files ?? []) as readonly ListedFile[]).map(changedFile)
  const by = `${login ?? data.commit.author?.name ?? 'unknown'}${isOutsider ? ' (outsider)' : ''}, ${data.commit.author?.date ?? ''}`
  return [`commit ${data.sha}`, by, '', data.commit.message, '', ...files.map(showFile), '', diffText(files)].join('\n')
}

async function logText({ request, owner, repo }: MeantRepo, id: number): Promise<string> {
  const { data } = await request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', { owner, repo, job_id: id })
  const text = data instanceof ArrayBuffer ? Buffer.from(data).toString() : `${data ?? ''}`
  const lines = text.trimEnd().split('\n')
  const left = lines.length - maxLogLines
  return [...(left > 0 ? [`[${left} lines before]`] : []), ...lines.slice(-maxLogLines)].join('\n')
}
