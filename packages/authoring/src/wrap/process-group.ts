import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { superviseGroup } from '@trunkline/mcp/stdio'

/** Grace time of a program after each signal but the last. */
export const defaultGraceMs = 2_000

const running = new Set<ProcessGroup>()

/** Ends all programs: each has half a second after SIGINT and as much after SIGTERM. */
export function stopAllGroups(): void {
  for (const group of running) void group.stop(500)
}

/** A program that leads its own process group, with all that it started. */
export class ProcessGroup {
  readonly #leaders: () => readonly number[]
  readonly #ended: Promise<unknown>
  #stopping: Promise<void> | undefined

  /** `leaders` tells whose groups are meant; a program in a terminal leads another one than what made the terminal. */
  constructor(child: ChildProcess, leaders: () => readonly number[] = () => (child.pid ? [child.pid] : [])) {
    this.#leaders = leaders
    this.#ended = new Promise((resolve) => {
      child.once('error', resolve)
      child.once('close', resolve)
    })
    running.add(this)
    const forget = this.#leaders().map(superviseGroup)
    void this.#ended.then(() => {
      running.delete(this)
      for (const stop of forget) stop()
    })
  }

  /** Resolves when the program has ended. */
  get ended(): Promise<unknown> {
    return this.#ended
  }

  signal(signal: NodeJS.Signals): void {
    for (const leader of this.#leaders()) {
      try {
        process.kill(-leader, signal)
      } catch {
        // it has ended meanwhile
      }
    }
  }

  /** Asks with SIGINT, then with SIGTERM, and ends it with SIGKILL. */
  stop(graceMs = defaultGraceMs): Promise<void> {
    this.#stopping ??= this.#stop(graceMs)
    return this.#stopping
  }

  async #stop(graceMs: number): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      this.signal(signal)
      const timer = new AbortController()
      const late = wait(graceMs, true, { signal: timer.signal }).catch(() => false)
      const isLate = await Promise.race([late, this.#ended.then(() => false)])
      timer.abort()
      if (!isLate) break
    }
    // processes that the program started may outlive it
    this.signal('SIGKILL')
    await this.#ended
  }
}
