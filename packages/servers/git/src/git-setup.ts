import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Context, server } from '@trunkline/mcp'
import { callTermsOf, contract } from '@trunkline/mcp/contract'
import { type AllowedFolders, allowedFor } from '@trunkline/server-kit/folders'
import { quoted } from '@trunkline/server-kit/preview'
import { nearestNames, ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { GitLimits } from './git-limits.ts'
import type { AcceptedHooks } from './hooks.ts'
import { openRepository, type Repository } from './repository.ts'

/** A server with the contract, before it has tools. */
export type GitServer = ReturnType<typeof bareServer>

/** Makes the server that tools and resources are added to. */
export function bareServer(options: Omit<Parameters<typeof server>[0], 'extensions'>, folders: readonly string[]) {
  return server({ ...options, extensions: [contract({ folders, requires: { programs: { git: '>=2.38' } } })] })
}

/** Settings that the parts of the server share. */
type GitSettings = Pick<GitSetup, 'limits' | 'hooks' | 'resolve'>

/** Context shared by the parts of the server. */
export class GitSetup {
  /** The real paths of the folders that are served. */
  readonly folders: readonly string[]
  readonly limits: GitLimits
  readonly hooks: AcceptedHooks
  /** Resolutions of a merge that come with none: by the person, or proposed by the client's model. */
  readonly resolve: 'ask' | 'sample'
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(folders: readonly string[], { limits, hooks, resolve }: GitSettings) {
    this.folders = folders
    this.limits = limits
    this.hooks = hooks
    this.resolve = resolve
  }

  /** Opens the repository that a call means: the one of its argument, or of the folder of the caller. */
  async open(ctx: Context, repo: string | undefined): Promise<Repository> {
    const allowed = await allowedFor(this.folders, ctx)
    const base = callTermsOf({ _meta: ctx.meta })?.cwd ?? allowed.base
    const options = { limits: this.limits, signal: ctx.signal }
    return openRepository({ ...allowed, base }, repo ?? '.', options)
  }

  /** Opens the repository that the address of a resource names. */
  async openNamed(ctx: Context, name: string): Promise<Repository> {
    const allowed = await allowedFor(this.folders, ctx)
    const found = (await this.repositories(allowed)).find((path) => basename(path) === name)
    if (found !== undefined) return openRepository(allowed, found, { limits: this.limits, signal: ctx.signal })
    const names = (await this.repositories(allowed)).map((path) => basename(path))
    throw new ToolProblem('not_found', `Cannot find the repository ${quoted(name)}`, {
      nearest: nearestNames(name, names),
    })
  }

  /** The folders of repositories that resources name: those that are served, and those right below them. */
  async repositories({ folders }: Pick<AllowedFolders, 'folders'> = this): Promise<readonly string[]> {
    const lists = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
        if (entries.some(({ name }) => name === '.git')) return [folder]
        const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
        const names = await Promise.all(below.slice(0, 1_000).map((path) => readdir(path).catch((): string[] => [])))
        return below.filter((_, at) => names[at]?.includes('.git'))
      }),
    )
    return lists.flat().slice(0, this.limits.maxRepositories)
  }

  /** Runs writes to one repository one after the other. */
  inTurn<Result>({ commonDir }: Repository, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(commonDir) ?? Promise.resolve()
    const turn = before.then(work, work)
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(commonDir) === settled) this.#turns.delete(commonDir)
      })
    this.#turns.set(commonDir, settled)
    return turn
  }
}

/** The argument that names a repository. */
export const repo = { type: 'string', description: 'Folder of the repository; default: yours' } as const
/** Annotations of tools that change nothing. */
export const reads = { readOnlyHint: true, openWorldHint: false } as const
/** Annotations of tools that change the repository and destroy nothing. */
export const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const
