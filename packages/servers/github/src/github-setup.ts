import { type Context, server } from '@trunkline/mcp'
import { callTermsOf, contract } from '@trunkline/mcp/contract'
import { allowedFor } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { Crossing, isPublicRepo } from './crossing.ts'
import { type FolderProposal, proposalOf } from './folder-remote.ts'
import type { GithubApi, GithubClient } from './github-api.ts'
import type { GithubLimits } from './github-limits.ts'
import type { Outsiders } from './outsiders.ts'
import { fullName, isAmong, parseItem, parseRepo, type RepoName } from './references.ts'

/** A server with the contract, before it has tools. */
export type GithubServer = ReturnType<typeof bareGithubServer>

/** Makes the server that tools and resources are added to. */
export function bareGithubServer(
  options: Omit<Parameters<typeof server>[0], 'extensions'>,
  folders: readonly string[],
) {
  return server({ ...options, extensions: [contract(folders.length === 0 ? {} : { folders })] })
}

/** Requests of one call. */
export type Request = GithubClient['request']

/** A repository that a call means. */
export interface MeantRepo extends RepoName {
  readonly request: Request
  /** True if the call does not name it: it is the remote of the caller's folder. */
  readonly isProposed: boolean
}

/** Parts of {@link GithubSetup}. */
export interface GithubParts {
  readonly api: GithubApi
  readonly folders: readonly string[]
  readonly limits: GithubLimits
  readonly outsiders: Outsiders
  /** Patterns of the repositories that may be written to. */
  readonly repos: readonly string[]
}

/** Context shared by the parts of the server. */
export class GithubSetup {
  readonly api: GithubApi
  readonly folders: readonly string[]
  readonly limits: GithubLimits
  readonly outsiders: Outsiders
  readonly repos: readonly string[]
  readonly crossing = new Crossing()
  #account: Promise<string> | undefined

  constructor({ api, folders, limits, outsiders, repos }: GithubParts) {
    this.api = api
    this.folders = folders
    this.limits = limits
    this.outsiders = outsiders
    this.repos = repos
  }

  /** Opens a repository for reading: the named one, or that of the remote of the caller's folder. */
  async open(ctx: Context, given: string | RepoName | undefined): Promise<MeantRepo> {
    const request = this.api.requestFor(ctx.signal)
    const named = typeof given === 'string' ? parseRepo(given, this.api.webHost) : given
    const name = named ?? (await this.proposal(ctx))?.repo
    if (name === undefined)
      throw new ToolProblem('not_found', 'Cannot tell which repository is meant', {
        next: 'Name it: "repo": "owner/name"; items also as owner/name#number or by their link',
      })
    this.crossing.note(name)
    return { owner: name.owner, repo: name.repo, request, isProposed: named === undefined }
  }

  /** Opens the repository of an issue or pull request. */
  async openItem(ctx: Context, given: unknown): Promise<{ readonly meant: MeantRepo; readonly number: number }> {
    const { repo, number } = parseItem(typeof given === 'number' ? given : `${given}`, this.api.webHost)
    return { meant: await this.open(ctx, repo), number }
  }

  /** Proposal of the folder of the caller. */
  async proposal(ctx: Context): Promise<FolderProposal | undefined> {
    if (this.folders.length === 0) return undefined
    const allowed = await allowedFor(this.folders, ctx)
    return proposalOf(allowed, callTermsOf({ _meta: ctx.meta })?.cwd ?? allowed.base, this.api.webHost)
  }

  /** The repository that a write goes to; refuses those that are not among the patterns. */
  async target(meant: MeantRepo): Promise<MeantRepo & { readonly isPublic: boolean }> {
    if (!isAmong(meant, this.repos))
      throw new ToolProblem(
        'refused',
        `Cannot write to ${fullName(meant)}: it is not among the repositories of this server`,
        {
          next: `The person can allow it in the entry of this server: --repo ${fullName(meant)}`,
        },
      )
    return { ...meant, isPublic: await isPublicRepo(meant.request, meant) }
  }

  /** The login of the account. */
  account(request: Request): Promise<string> {
    this.#account ??= this.api.access.account?.() ?? request('GET /user').then(({ data }) => data.login)
    this.#account.catch(() => {
      this.#account = undefined
    })
    return this.#account
  }
}

/** Words for the repository that was meant. */
export function meantWords(meant: MeantRepo): string {
  return `${fullName(meant)}${meant.isProposed ? ', the remote of this folder' : ''}`
}

/** The argument that names a repository. */
export const repoArgument = {
  type: 'string',
  description: 'owner/name or link; default: remote of your folder',
} as const
/** The argument that names a pull request. */
export const pull = { type: ['integer', 'string'], description: 'Number, owner/name#number or link' } as const
/** Annotations of tools that change nothing; their arguments reach GitHub only, whose data they return. */
export const readingHints = { readOnlyHint: true, openWorldHint: false } as const
/** Annotations of tools that change something and destroy nothing. */
export const writingHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const
/** Annotations of tools whose effects others see. */
export const destroyingHints = { ...writingHints, destructiveHint: true } as const
