import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Caller, InvalidParams, RpcError } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { ServerSpec } from '../servers/server-spec.ts'

import { HostProject } from './host-project.ts'
export interface CallerProjectsOptions {
  /** Reads and sets the settings of a directory, and returns its project; '' for none. */
  readonly open?: ((directory: string) => Promise<string>) | undefined
  /** Resolves when the offers for callers that name no directory are known. @default they are from the start */
  whenConfigured?: (() => Promise<void>) | undefined
}

/** Directories that callers named, each with its project; beyond it they are looked up anew. */
const maxDirectories = 1_000
/** Time limit of a caller's answer to `roots/list`. */
const rootsMs = 5_000

/** Every project whose callers are served, and the project of each caller. */
export class CallerProjects {
  /** Settings for callers that name no directory. */
  readonly usual = new HostProject(undefined)
  readonly #options: CallerProjectsOptions
  readonly #projects = new Map<string, HostProject>()
  readonly #byDirectory = new Map<string, string>()
  readonly #opening = new Map<string, Promise<string>>()
  /** The first root of each caller that was asked for its roots; null for one that has none. */
  readonly #roots = new WeakMap<object, string | null>()
  #isConfigured: boolean

  constructor(options: CallerProjectsOptions = {}) {
    this.#options = options
    this.#isConfigured = options.whenConfigured === undefined
    void options.whenConfigured?.().then(() => {
      this.#isConfigured = true
    })
  }

  /** Every server of every project, each once. */
  get specs(): readonly ServerSpec[] {
    const all = [this.usual, ...this.#projects.values()].flatMap(({ specs }) => specs)
    return [...new Map(all.map((spec) => [spec.name, spec])).values()]
  }

  get roots(): readonly string[] {
    return [...this.#projects.keys()]
  }

  /** An open project; for another, the settings of callers in none. */
  of(project: string | undefined): HostProject {
    return (project === undefined ? undefined : this.#projects.get(project)) ?? this.usual
  }

  /** Acts of one principal in any minute, in the project of an act; `usual` where that says nothing. */
  paceOf({ project }: Pick<Act, 'project'>, usual: number): number {
    return this.of(project).limits?.callsPerMinute ?? usual
  }

  usedAt(root: string): number {
    return this.#projects.get(root)?.usedAt ?? 0
  }

  /** The project of a root, made when it is not there; '' is no project at all. */
  project(root: string | undefined): HostProject {
    if (root === undefined) return this.usual
    const known = this.#projects.get(root)
    if (known) return known
    const project = new HostProject(root === '' ? undefined : root)
    this.#projects.set(root, project)
    return project
  }

  remove(root: string): void {
    this.#projects.delete(root)
    for (const [directory, of] of this.#byDirectory) if (of === root) this.#byDirectory.delete(directory)
  }

  /** True if some caller is offered a server of this name. */
  hasServer(name: ServerName): boolean {
    return this.specs.some((spec) => serverNameOf(spec.name) === name)
  }

  hasProfile(name: string): boolean {
    return [this.usual, ...this.#projects.values()].some((project) => project.profile(name) !== undefined)
  }

  /** The key of a server by its name, where only one project has a server of that name. */
  keyOf(name: ServerName | ServerKey): ServerKey {
    const { specs } = this
    const found = specs.filter((spec) => spec.name === name || serverNameOf(spec.name) === name)
    const [first, another] = found
    const exact = found.find((spec) => spec.name === name)
    if (first === undefined) throw new Error(`Cannot find server "${name}": no such server is configured`)
    if (another === undefined) return first.name
    if (exact) return exact.name
    const each = found.map((spec) => `"${spec.name}" of ${spec.project ?? 'no project'}`).join(', ')
    throw new Error(`Cannot tell which server "${name}" is meant: there is ${each}`)
  }

  /** The project that a caller is in. */
  projectOf(caller: Caller): string | undefined {
    return this.projectIn(this.#options.open && this.scopeOf(caller)?.project, caller)
  }

  /** The project of a caller that was `found` to be in one; where none is opened, the one that the caller names. */
  projectIn(found: string | undefined, { claims }: Caller): string | undefined {
    if (this.#options.open) return found
    return typeof claims?.project === 'string' ? claims.project : undefined
  }

  /** Project of a caller; undefined until its roots are known. */
  scopeOf(caller: Caller): HostProject | undefined {
    if (!this.#isConfigured) return undefined
    const directory = this.#directoryOf(caller)
    if (directory === undefined) return this.#mayHaveRoots(caller) ? undefined : this.usual
    const root = this.#byDirectory.get(directory)
    const project = root === undefined ? undefined : this.#projects.get(root)
    if (project) project.usedAt = Date.now()
    return project
  }

  /** Finds the project of a caller: by its directory, else by its first root. */
  async openScope(request: RelayRequest): Promise<HostProject> {
    const { caller } = request
    await this.#options.whenConfigured?.()
    if (this.#mayHaveRoots(caller)) this.#roots.set(caller.capabilities, await this.#firstRoot(request))
    const directory = this.#directoryOf(caller)
    return directory === undefined ? this.usual : this.open(directory)
  }

  /** Opens the project of a directory; simultaneous callers get the same. */
  async open(directory: string): Promise<HostProject> {
    const { open } = this.#options
    if (!open) return this.usual
    const opening = this.#opening.get(directory) ?? open(directory).finally(() => this.#opening.delete(directory))
    this.#opening.set(directory, opening)
    const root = await opening.catch((error: Error) => {
      throw new RpcError(InvalidParams, error.message)
    })
    const project = this.#projects.get(root)
    // it was closed again at once, as when many more are opened at the same time than are kept
    if (!project) return new HostProject(undefined)
    project.usedAt = Date.now()
    if (this.#byDirectory.size >= maxDirectories) this.#byDirectory.clear()
    this.#byDirectory.set(directory, root)
    return project
  }

  #directoryOf({ claims, capabilities }: Caller): string | undefined {
    if (!this.#options.open) return undefined
    if (typeof claims?.project === 'string') return claims.project
    return this.#roots.get(capabilities) ?? undefined
  }

  /** True if a caller could be asked for its roots and was not. */
  #mayHaveRoots({ claims, capabilities }: Caller): boolean {
    if (!this.#options.open || typeof claims?.project === 'string' || !capabilities.roots) return false
    return !this.#roots.has(capabilities)
  }

  async #firstRoot(request: RelayRequest): Promise<string | null> {
    // where questions are rounds of a request, only a request that asks anyway may ask for roots
    if (request.rounds) return null
    try {
      const { roots } = await request.ask('roots/list', {}, { signal: AbortSignal.timeout(rootsMs) })
      const [first] = Array.isArray(roots) ? roots : []
      const path = fileURLToPath(String((first as { readonly uri?: unknown } | undefined)?.uri))
      return (await stat(path)).isDirectory() ? path : null
    } catch {
      // it has none, or none that is a directory here
      return null
    }
  }
}
