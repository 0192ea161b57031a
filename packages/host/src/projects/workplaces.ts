import { access } from 'node:fs/promises'
import type { Act } from '../act/act.ts'
import type { Config } from '../config/config.ts'
import { localFile, type Places, projectFile } from '../config/places.ts'
import { Policy } from '../policy/policy.ts'
import { rulesFromConfig } from '../policy/rules-from-config.ts'
import { projectRoot } from './read-project.ts'

export interface WorkplacesOptions {
  readonly home: string
  readonly places: Places
  config(): Config
  /** Projects whose denials are kept; beyond it the one that was looked up longest ago is forgotten. @default 1_000 */
  readonly maxProjects?: number
}

const defaults = { maxProjects: 1_000 } as const satisfies Partial<WorkplacesOptions>

/**
 * The denials of the projects that the processes of callers work in. They count whichever project a caller names: a
 * header is chosen by the caller, the directory of the process that started it is not.
 */
export class Workplaces {
  readonly #options: WorkplacesOptions
  readonly #policies = new Map<string, Policy>()
  #isFollowing = false

  constructor(options: WorkplacesOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#policies.size
  }

  /** The projects with files of their own among some directories; their denials are known when this returns. */
  async rootsOf(folders: readonly string[]): Promise<readonly string[]> {
    const roots = new Set<string>()
    for (const folder of new Set(folders)) {
      // a directory that is gone denies nothing
      const root = await projectRoot(folder, this.#options.home).catch(() => '')
      if (root !== '' && !roots.has(root) && (await this.#hasFiles(root))) roots.add(root)
    }
    for (const root of roots) await this.#load(root)
    if (roots.size > 0) this.#follow()
    return [...roots]
  }

  /** Reads all denials anew whenever a file has changed. */
  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    this.#options.config().onChange(async () => {
      for (const root of [...this.#policies.keys()]) await this.#load(root)
    })
  }

  /** The policy that denies an act where its caller works, if one does. */
  denying(act: Act): Policy | undefined {
    for (const root of act.workingIn ?? []) {
      const policy = root === act.project ? undefined : this.#policies.get(root)
      if (policy?.judge(act).effect === 'deny') return policy
    }
    return undefined
  }

  async #load(root: string): Promise<void> {
    const { rules } = rulesFromConfig(await this.#options.config().effective(root))
    this.#policies.delete(root)
    this.#policies.set(root, new Policy({ rules: rules.filter(({ effect }) => effect === 'deny') }))
    const { maxProjects = defaults.maxProjects } = this.#options
    for (const oldest of this.#policies.keys()) {
      if (this.#policies.size <= maxProjects) break
      this.#policies.delete(oldest)
    }
  }

  async #hasFiles(root: string): Promise<boolean> {
    const files = [projectFile(root), localFile(this.#options.places, root)]
    const found = await Promise.all(
      files.map((file) =>
        access(file).then(
          () => true,
          () => false,
        ),
      ),
    )
    return found.includes(true)
  }
}
