import { shownText } from '@trunkline/server-kit/cut-text'
import type { GithubSetup, MeantRepo } from './github-setup.ts'
import type { Authored } from './outsiders.ts'
import { day } from './shown.ts'

/** A comment as it is shown. */
export interface ShownComment {
  readonly id: number
  readonly author: string
  readonly isOutsider: boolean
  readonly date: string
  readonly text: string
}

/** A text with its author. */
export interface ShownText {
  readonly author: string
  readonly isOutsider: boolean
  readonly text: string
}

/** Options of a text that is shown. */
interface TextSize {
  readonly maxTokens: number
  /** The address of all of it. */
  readonly all: string
}

/** A text cut to a size, or hidden. */
export async function shownBy(
  { outsiders }: GithubSetup,
  meant: MeantRepo,
  written: Authored & { readonly body?: string | null | undefined },
  size: TextSize,
): Promise<ShownText> {
  const isOutsider = await outsiders.isOutside(meant.request, meant, written)
  const text = outsiders.shown(shownText(written.body ?? '', size), isOutsider)
  return { author: written.user?.login ?? 'ghost', isOutsider, text }
}

/** The last comments of an issue or pull request, the oldest of them first. */
export async function lastComments(
  setup: GithubSetup,
  meant: MeantRepo,
  {
    number,
    total,
    count,
    all,
  }: { readonly number: number; readonly total: number; readonly count: number; readonly all: string },
): Promise<readonly ShownComment[]> {
  const wanted = Math.min(count, total)
  if (wanted === 0) return []
  // the last ones lie on the last page, or on the two last ones
  const last = Math.ceil(total / wanted)
  const pages = [last - 1, last].filter((page) => page >= 1)
  const { owner, repo, request } = meant
  const found = await Promise.all(
    pages.map((page) =>
      request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        owner,
        repo,
        issue_number: number,
        per_page: wanted,
        page,
      }),
    ),
  )
  const comments = found.flatMap(({ data }) => data).slice(-wanted)
  const maxTokens = Math.floor(1_000 / wanted)
  return Promise.all(
    comments.map(async (comment) => ({
      id: Number(comment.id),
      ...(await shownBy(setup, meant, { ...comment, body: comment.body ?? null }, { maxTokens, all })),
      date: day(comment.created_at),
    })),
  )
}

/** A comment as lines of text. */
export function commentLines({ id, author, isOutsider, date, text }: ShownComment): readonly string[] {
  return ['', `${author}${isOutsider ? ' (outsider)' : ''}, ${date}, comment ${id}:`, text]
}
