import type { GithubClient } from './github-api.ts'
import { fullName, type RepoName } from './references.ts'

/** Treatment of text of people without push access: it is marked, or left out. */
export type OutsidersRule = 'mark' | 'hide'

/** A text and who wrote it, as GitHub tells it. */
export interface Authored {
  readonly user?: { readonly login: string } | null | undefined
  readonly author_association?: string | undefined
}

/** The words that stand for a text that is left out. */
export const hiddenText = '[hidden: written without push access]'

const rememberMs = 10 * 60_000
const maxRemembered = 2_000

/** Tells who may not push to a repository. */
export class Outsiders {
  readonly rule: OutsidersRule
  readonly #known = new Map<string, { readonly canPush: boolean | undefined; readonly until: number }>()

  constructor(rule: OutsidersRule) {
    this.rule = rule
  }

  /**
   * True for an author without push access. Associations other than owner, member and collaborator never have it; of those
   * GitHub is asked, and where the token may not ask, the association decides.
   */
  async isOutside(
    request: GithubClient['request'],
    name: RepoName,
    { user, author_association }: Authored,
  ): Promise<boolean> {
    const login = user?.login
    if (login === undefined) return true
    if (author_association === 'OWNER' || login.toLowerCase() === name.owner.toLowerCase()) return false
    const isClose = author_association === 'MEMBER' || author_association === 'COLLABORATOR'
    if (author_association !== undefined && !isClose) return true
    return !((await this.#canPush(request, name, login)) ?? isClose)
  }

  /** A text, or what stands for it if it is to be hidden. */
  shown(text: string, isOutsider: boolean): string {
    return this.rule === 'hide' && isOutsider ? hiddenText : text
  }

  async #canPush(request: GithubClient['request'], name: RepoName, login: string): Promise<boolean | undefined> {
    const key = `${fullName(name)} ${login}`.toLowerCase()
    const known = this.#known.get(key)
    if (known !== undefined && known.until > Date.now()) return known.canPush
    const canPush = await request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      owner: name.owner,
      repo: name.repo,
      username: login,
    }).then(
      ({ data }) => ['admin', 'maintain', 'write'].includes(data.permission),
      () => undefined,
    )
    if (this.#known.size >= maxRemembered) this.#known.clear()
    this.#known.set(key, { canPush, until: Date.now() + rememberMs })
    return canPush
  }
}
