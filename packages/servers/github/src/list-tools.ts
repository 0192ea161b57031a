import type { Context } from '@trunkline/mcp'
import { makeCursor, positionOf } from '@trunkline/server-kit/cursor'
import { listArguments, listReply, wantedFields } from '@trunkline/server-kit/list'
import { explained } from '@trunkline/server-kit/tool-problem'
import {
  type GithubServer,
  type GithubSetup,
  type MeantRepo,
  meantWords,
  readingHints,
  repoArgument,
} from './github-setup.ts'
import { pageToTokens } from './page-to-tokens.ts'
import { scanPages } from './scan-pages.ts'
import { offerGithubSearch } from './search-tool.ts'
import { cutLine, day, labelNames } from './shown.ts'

const fields = ['assignees', 'base', 'link'] as const

/** An issue or pull request in a list of GitHub, as far as it is read. */
interface Listed {
  readonly number: number
  readonly title: string
  readonly state: string
  readonly draft?: boolean | undefined
  readonly user: { readonly login: string } | null
  readonly author_association?: string
  readonly labels: readonly (string | { readonly name?: string | null })[]
  readonly assignees?: readonly { readonly login: string }[] | null
  readonly updated_at: string
  readonly comments?: number
  readonly merged_at?: string | null
  readonly html_url: string
  readonly base?: { readonly ref: string }
  readonly pull_request?: unknown
}

/** Offers the tools that list. */
export function offerLists(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'list_items',
    {
      description: 'Lists pull requests or issues of a repository, the last updated first.',
      annotations: readingHints,
      input: {
        type: 'object',
        properties: {
          kind: { enum: ['pulls', 'issues'] },
          repo: repoArgument,
          state: { enum: ['open', 'closed', 'all'], default: 'open' },
          author: { type: 'string' },
          assignee: { type: 'string' },
          label: { type: 'string' },
          base: { type: 'string', description: 'Branch that pulls go to' },
          ...listArguments({ limit: 15, fields }),
        },
        required: ['kind'],
        additionalProperties: false,
      },
    },
    explained(async (input, ctx: Context) => {
      const { kind, limit = 15, cursor } = input
      const more = wantedFields(fields, input.fields, ctx)
      const meant = await setup.open(ctx, input.repo)
      const query: ItemQuery = {
        kind,
        state: input.state ?? 'open',
        author: input.author,
        assignee: input.assignee,
        label: input.label,
        base: input.base,
      }
      const marked = [meant.owner, meant.repo, query]
      const scan = await scanPages<Listed>({
        page: (page, size) => (kind === 'pulls' ? pulls(meant, query, page, size) : issues(meant, query, page, size)),
        keeps: (item) => isKept(item, query),
        limit,
        position: positionOf(cursor, marked),
        maxPages: setup.limits.maxScannedPages,
      })
      const shown = await Promise.all(
        scan.items.map(async ({ item, next }) => ({ item: await itemOf(setup, meant, item, more), next })),
      )
      const { items, next } = pageToTokens(shown, scan.next)
      const looked = scan.looked === undefined ? [] : [`looked at ${scan.looked} ${kind}; go on by the cursor`]
      return listReply(
        {
          items,
          next: next === undefined ? undefined : makeCursor(marked, next),
          notes: [`in ${meantWords(meant)}`, ...looked],
        },
        (item) =>
          `#${item.number} ${item.title} (${item.author}, ${item.state}${item.draft ? ', draft' : ''}, ${item.updated}${item.labels.length > 0 ? `, ${item.labels.join(' ')}` : ''})`,
      )
    }),
  )
  offerGithubSearch(github, setup)
}

interface ItemQuery {
  readonly kind: 'pulls' | 'issues'
  readonly state: 'open' | 'closed' | 'all'
  readonly author: string | undefined
  readonly assignee: string | undefined
  readonly label: string | undefined
  readonly base: string | undefined
}

async function pulls({ request, owner, repo }: MeantRepo, query: ItemQuery, page: number, size: number) {
  const { state, base } = query
  const sorted = { sort: 'updated', direction: 'desc', per_page: size, page } as const
  const { data } = await request('GET /repos/{owner}/{repo}/pulls', {
    owner,
    repo,
    state,
    ...(base && { base }),
    ...sorted,
  })
  return data as readonly Listed[]
}

async function issues({ request, owner, repo }: MeantRepo, query: ItemQuery, page: number, size: number) {
  const { state, author, assignee, label } = query
  const filters = {
    ...(author && { creator: author }),
    ...(assignee && { assignee }),
    // a comma would name several
    ...(label && !label.includes(',') && { labels: label }),
  }
  const sorted = { sort: 'updated', direction: 'desc', per_page: size, page } as const
  const { data } = await request('GET /repos/{owner}/{repo}/issues', { owner, repo, state, ...filters, ...sorted })
  return data as readonly Listed[]
}

/** GitHub lists pull requests among the issues, and filters pull requests by their base only. */
function isKept(item: Listed, { kind, author, assignee, label }: ItemQuery): boolean {
  if (kind === 'issues' && item.pull_request !== undefined) return false
  const same = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase()
  const names = item.labels.map((each) => (typeof each === 'string' ? each : (each.name ?? '')))
  return (
    (author === undefined || same(item.user?.login, author)) &&
    (assignee === undefined || (item.assignees ?? []).some(({ login }) => same(login, assignee))) &&
    (label === undefined || names.some((name) => same(name, label)))
  )
}

async function itemOf(setup: GithubSetup, meant: MeantRepo, item: Listed, more: readonly (typeof fields)[number][]) {
  const { outsiders } = setup
  const isHidden = outsiders.rule === 'hide' && (await outsiders.isOutside(meant.request, meant, item))
  return {
    number: item.number,
    title: outsiders.shown(cutLine(item.title, 72), isHidden),
    author: item.user?.login ?? 'ghost',
    state: item.merged_at ? 'merged' : item.state,
    ...(item.draft && { draft: true }),
    labels: labelNames(item.labels),
    updated: day(item.updated_at),
    ...(item.comments !== undefined && { comments: item.comments }),
    ...(more.includes('assignees') && { assignees: (item.assignees ?? []).map(({ login }) => login).slice(0, 5) }),
    ...(more.includes('base') && item.base && { base: item.base.ref }),
    ...(more.includes('link') && { link: item.html_url }),
  }
}
