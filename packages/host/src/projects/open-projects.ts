import type { ReadProject } from './read-project.ts'

/** Limits of open projects. */
export interface ProjectLimits {
  /** Projects that are open at the same time; the one that was not used longest is closed for another. @default 32 */
  readonly maxProjects?: number
}

export interface OpenProjectsOptions extends ProjectLimits {
  /** Milliseconds without a caller after which a project is closed. @default 1_800_000 */
  readonly idleMs?: number
  /** Time of a project's last use, as in `Date.now()`. */
  usedAt(root: string): number
  /** Stops serving a project. */
  close(root: string): Promise<void>
}

const defaults = { maxProjects: 32 } as const satisfies ProjectLimits
const usualIdleMs = 30 * 60_000

/** The projects whose callers are served, each as it was last read. */
export class OpenProjects {
  readonly #options: OpenProjectsOptions
  readonly #projects = new Map<string, ReadProject>()

  constructor(options: OpenProjectsOptions) {
    this.#options = options
  }

  get roots(): readonly string[] {
    return [...this.#projects.keys()]
  }

  get all(): readonly ReadProject[] {
    return [...this.#projects.values()]
  }

  get(root: string): ReadProject | undefined {
    return this.#projects.get(root)
  }

  has(root: string): boolean {
    return this.#projects.has(root)
  }

  set(root: string, project: ReadProject): void {
    this.#projects.set(root, project)
  }

  /** Closes projects that are idle or too many; the newest one stays. */
  async tidy(now = Date.now()): Promise<void> {
    const { maxProjects = defaults.maxProjects, idleMs = usualIdleMs, usedAt } = this.#options
    const byUse = this.roots.toSorted((one, other) => usedAt(one) - usedAt(other))
    const idle = byUse.filter((root) => now - usedAt(root) >= idleMs)
    const tooMany = byUse.slice(0, Math.max(0, byUse.length - maxProjects))
    for (const root of new Set([...idle, ...tooMany])) {
      this.#projects.delete(root)
      await this.#options.close(root)
    }
  }
}
