import type { Context } from '@trunkline/mcp'
import { makeCursor, positionOf } from '@trunkline/server-kit/cursor'
import { listArguments, listReply } from '@trunkline/server-kit/list'
import { explained } from '@trunkline/server-kit/tool-problem'
import { type GithubServer, type GithubSetup, type Request, readingHints } from './github-setup.ts'
import { pageToTokens } from './page-to-tokens.ts'
import { parseRepo, type RepoName } from './references.ts'
import { cutLine, day } from './shown.ts'

const kinds = ['issues', 'pulls', 'code', 'commits', 'repos'] as const
type Kind = (typeof kinds)[number]

/** One result of a search: the repository, the thing in it, and a line of it. */
interface Found {
  readonly repo: string
  readonly number?: number
  readonly path?: string
  readonly sha?: string
  readonly title?: string
  readonly line?: string
  readonly author?: string
  readonly updated?: string
}

interface Results {
  readonly items: readonly Found[]
  readonly total: number
}

interface Page {
  readonly q: string
  readonly per_page: number
  readonly page: number
}

/** Offers the search over everything that the account can see. */
export function offerGithubSearch(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'search_github',
    {
      description: "Searches by GitHub's syntax, such as repo:owner/name is:open label:bug.",
      annotations: readingHints,
      input: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, maxLength: 256 },
          kind: { enum: kinds, default: 'issues' },
          ...listArguments({ limit: 10 }),
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    explained(async ({ query, kind = 'issues', limit = 10, cursor }, ctx: Context) => {
      const request = setup.api.requestFor(ctx.signal)
      const marked = [query, kind, limit]
      const position = positionOf(cursor, marked)
      const [page, from] = Array.isArray(position) ? [Number(position[0]) || 1, Number(position[1]) || 0] : [1, 0]
      const found = await searches[kind](setup, request, { q: query, per_page: limit, page })
      for (const { repo } of found.items) setup.crossing.note(parseRepo(repo, setup.api.webHost))
      const shown = found.items.slice(from).map((item, at) => ({ item, next: [page, from + at + 1] as const }))
      const hasMore = page * limit < Math.min(found.total, 1_000) && found.items.length > 0
      const { items, next } = pageToTokens(shown, hasMore ? ([page + 1, 0] as const) : undefined)
      return listReply(
        { items, next: next === undefined ? undefined : makeCursor(marked, next), total: found.total },
        lineOf,
      )
    }),
  )
}

function lineOf({ repo, number, path, sha, title, line, author, updated }: Found): string {
  const what = [
    repo,
    number === undefined ? '' : `#${number}`,
    path === undefined ? '' : ` ${path}`,
    sha ? ` ${sha}` : '',
  ]
  const tail = [author, updated].filter(Boolean).join(', ')
  return `${what.join('')} ${title ?? line ?? ''}${tail === '' ? '' : ` (${tail})`}`
}

const searches: { readonly [Name in Kind]: (setup: GithubSetup, request: Request, page: Page) => Promise<Results> } = {
  issues: (setup, request, page) => searchItems(setup, request, { ...page, q: `${page.q} is:issue` }),
  pulls: (setup, request, page) => searchItems(setup, request, { ...page, q: `${page.q} is:pr` }),
  async code(_setup, request, page) {
    const headers = { accept: 'application/vnd.github.text-match+json' }
    const { data } = await request('GET /search/code', { ...page, headers })
    const items = data.items.map((item) => ({
      repo: item.repository.full_name,
      path: item.path,
      line: cutLine(item.text_matches?.[0]?.fragment, 120),
    }))
    return { items, total: data.total_count }
  },
  async commits(setup, request, page) {
    const { data } = await request('GET /search/commits', { ...page })
    const items = data.items.map(async (item) => {
      const name = parseRepo(item.repository.full_name, setup.api.webHost)
      const user = item.author === null ? undefined : { login: `${item.author.login}` }
      const isHidden = await isHiddenIn(setup, request, name, { user })
      return {
        repo: item.repository.full_name,
        sha: item.sha.slice(0, 12),
        title: setup.outsiders.shown(cutLine(item.commit.message.split('\n')[0], 80), isHidden),
        author: user?.login ?? cutLine(item.commit.author.name, 40),
        updated: day(item.commit.author.date),
      }
    })
    return { items: await Promise.all(items), total: data.total_count }
  },
  async repos(_setup, request, page) {
    const { data } = await request('GET /search/repositories', { ...page })
    const items = data.items.map((item) => ({
      repo: item.full_name,
      title: cutLine(item.description, 100),
      updated: day(item.updated_at),
    }))
    return { items, total: data.total_count }
  },
}

async function searchItems(setup: GithubSetup, request: Request, page: Page): Promise<Results> {
  const { data } = await request('GET /search/issues', { ...page })
  const items = data.items.map(async (item) => {
    const [owner = '', repo = ''] = item.repository_url.split('/').slice(-2)
    const isHidden = await isHiddenIn(setup, request, { owner, repo }, item)
    return {
      repo: `${owner}/${repo}`,
      number: item.number,
      title: setup.outsiders.shown(cutLine(item.title, 80), isHidden),
      author: item.user?.login ?? 'ghost',
      updated: day(item.updated_at),
    }
  })
  return { items: await Promise.all(items), total: data.total_count }
}

async function isHiddenIn(
  { outsiders }: GithubSetup,
  request: Request,
  name: RepoName,
  written: Parameters<GithubSetup['outsiders']['isOutside']>[2],
): Promise<boolean> {
  return outsiders.rule === 'hide' && outsiders.isOutside(request, name, written)
}
