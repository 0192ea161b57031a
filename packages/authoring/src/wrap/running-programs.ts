import type { ProcessGroup } from './process-group.ts'

/** The programs that run at the moment, by the tool that started them. */
export class RunningPrograms {
  readonly #groups = new Map<string, Set<ProcessGroup>>()

  /** Knows a program until it has ended. */
  add(tool: string, group: ProcessGroup): void {
    const groups = this.#groups.get(tool) ?? new Set()
    this.#groups.set(tool, groups.add(group))
    void group.ended.then(() => groups.delete(group))
  }

  /** Sends a signal to all programs of a tool; how many there are. */
  signal(tool: string, signal: NodeJS.Signals): number {
    const groups = [...(this.#groups.get(tool) ?? [])]
    for (const group of groups) group.signal(signal)
    return groups.length
  }
}
