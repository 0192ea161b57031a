import type { Context } from '@trunkline/mcp'
import { askForYes, canBeAsked } from '@trunkline/server-kit/asking'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { GithubClient } from './github-api.ts'
import { fullName, type RepoName } from './references.ts'

const maxRemembered = 1_000

/** Remembers which repositories were read since the start, so that their text does not reach the public unasked. */
export class Crossing {
  readonly #read = new Map<string, RepoName>()

  /** Notes that something of a repository was read. */
  note(name: RepoName): void {
    const key = fullName(name).toLowerCase()
    if (this.#read.has(key) || this.#read.size < maxRemembered) this.#read.set(key, name)
  }

  /** Private repositories that were read, if the target is public; each is looked up when it matters. */
  async from(
    request: GithubClient['request'],
    target: { readonly isPublic: boolean } & RepoName,
  ): Promise<readonly string[]> {
    if (!target.isPublic) return []
    const names = [...this.#read.values()].filter(
      (name) => fullName(name).toLowerCase() !== fullName(target).toLowerCase(),
    )
    const secret = await Promise.all(
      names.map(async (name) => {
        // what cannot be looked up any more counts as private
        const isPublic = await isPublicRepo(request, name).catch(() => false)
        return isPublic ? [] : [fullName(name)]
      }),
    )
    return [...secret.flat(), ...(this.#read.size >= maxRemembered ? ['and more that were not remembered'] : [])]
  }
}

/** True for a repository without limits on its readers; internal ones are private. */
export async function isPublicRepo(request: GithubClient['request'], { owner, repo }: RepoName): Promise<boolean> {
  const { data } = await request('GET /repos/{owner}/{repo}', { owner, repo })
  return !data.private && (data.visibility ?? 'public') === 'public'
}

/** The line of a preview about private repositories whose text might become public. */
export function crossingLine(from: readonly string[], target: RepoName): readonly string[] {
  return from.length === 0 ? [] : [`crosses from private ${from.join(', ')} to public ${fullName(target)}`]
}

/** Asks the person before text may go from private repositories to a public one; refuses where the client cannot ask. */
export async function requireCrossing(ctx: Context, from: readonly string[], target: RepoName): Promise<void> {
  if (from.length === 0) return
  const way = `from private ${from.join(', ')} to public ${fullName(target)}`
  const next = 'Nothing was sent. The person can send it themselves, or call again from a client that shows questions'
  if (!canBeAsked(ctx))
    throw new ToolProblem('refused', `Cannot write ${way}: this client cannot ask the person`, { next })
  const message = [
    `Write to the public repository ${fullName(target)}?`,
    `Private text was read before: ${from.join(', ')}`,
    'Everybody can read what is written there.',
  ].join('\n')
  if (!(await askForYes(ctx, message, { title: 'Write it' })))
    throw new ToolProblem('refused', `Cannot write ${way}: the person said no`, { next: 'Nothing was sent' })
}
