import type { Project } from './project.ts'
import { hashOf } from './text-files.ts'

/** Looks at a project while its diagnostics are watched, and says when they changed; starts no language server. */
export class DiagnosticsWatch {
  readonly #project: Project
  readonly #changed: () => void
  #watchers = 0
  #timer: NodeJS.Timeout | undefined
  #last: string | undefined
  #looking: Promise<void> | undefined

  constructor(project: Project, changed: () => void) {
    this.#project = project
    this.#changed = changed
  }

  /** Number of those who watch. */
  get watchers(): number {
    return this.#watchers
  }

  /** Begins to look; returns what ends that. */
  start(): () => void {
    this.#watchers++
    this.#project.onDiagnostics = () => this.#look()
    // at once, so that no change after this call is missed
    this.#last ??= this.#known()
    this.#timer ??= setInterval(() => this.#look(), this.#project.limits.lookEveryMs).unref()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#watchers > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#last = undefined
      this.#project.onDiagnostics = () => {}
    }
  }

  #look(): void {
    this.#looking ??= this.#compare()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #compare(): Promise<void> {
    await this.#project.refresh()
    const waitMs = this.#project.limits.diagnosticsMs
    for (const { server } of this.#project.running()) {
      await Promise.all(server.documents.paths.map((path) => server.diagnostics(path, { waitMs })))
    }
    const now = this.#known()
    if (now === undefined || now === this.#last || this.#watchers === 0) return
    this.#last = now
    this.#changed()
  }

  /** Hash of the diagnostics of all open files; undefined while those of one are not known. */
  #known(): string | undefined {
    const all = this.#project.running().flatMap(({ server }) => {
      return server.documents.paths.map((path) => [path, server.knownDiagnostics(path)] as const)
    })
    return all.some(([, known]) => known === undefined) ? undefined : hashOf(JSON.stringify(all))
  }
}
