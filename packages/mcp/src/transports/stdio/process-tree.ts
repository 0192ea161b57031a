import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const pollMs = 10
// zombies stay in their group until their parent collects them, which may never happen
const burialMs = 2_000

/** A child that leads its own process group, and its descendants in that group. */
export class ProcessTree {
  readonly #leader: number
  #isGone = false

  constructor(leader: number) {
    this.#leader = leader
  }

  /** Stops all processes: SIGTERM, and SIGKILL after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    if (process.platform === 'win32') return killOnWindows(this.#leader)
    this.#signal('SIGTERM')
    if (await this.#goneWithin(graceMs)) return
    this.#signal('SIGKILL')
    await this.#goneWithin(burialMs)
  }

  async #goneWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms
    while (this.#signal(0) && performance.now() < deadline) await wait(pollMs)
    return this.#isGone
  }

  /** Signals the group; returns whether it still exists. Afterwards its id may be reused by other processes. */
  #signal(signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
    try {
      if (!this.#isGone) process.kill(-this.#leader, signal)
    } catch {
      this.#isGone = true
    }
    return !this.#isGone
  }
}

/** Ends a process with its descendants; the path is written out, since a name could be another program. */
function killOnWindows(leader: number): Promise<void> {
  const taskkill = join(process.env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  return new Promise((resolve) => {
    const killer = spawn(taskkill, ['/pid', `${leader}`, '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    killer.once('error', () => resolve(killAlone(leader)))
    killer.once('exit', (code) => resolve(code === 0 ? undefined : killAlone(leader)))
  })
}

/** Ends a process where its descendants cannot be found; those that Node started end with it. */
function killAlone(leader: number): void {
  try {
    process.kill(leader, 'SIGKILL')
  } catch {
    // it is gone already
  }
}
