import type { ServerKey } from '../act/server-key.ts'
import type { UpstreamState, UpstreamStatus } from './upstream-status.ts'

/** Change of a server's state, with its time. */
export interface StateChange {
  readonly server: ServerKey
  readonly state: UpstreamState
  readonly why: string
  /** Time as in `Date.now()`. */
  readonly at: number
}

/** Number of changes kept, over all servers. */
export const maxStateChanges = 1_000

/** Recent state changes of servers, oldest first. */
export class StateHistory {
  #changes: StateChange[] = []
  /** Running servers; no more than there are servers. */
  readonly #running = new Set<string>()
  readonly #onRun: (change: StateChange) => void

  /** Calls back when a server began or ceased to run. */
  constructor(onRun: (change: StateChange) => void = () => {}) {
    this.#onRun = onRun
  }

  add({ name, state, why, since }: Pick<UpstreamStatus, 'name' | 'state' | 'why' | 'since'>): void {
    const change = { server: name, state, why, at: since }
    this.#changes.push(change)
    if (this.#changes.length > maxStateChanges * 1.1) this.#changes = this.#changes.slice(-maxStateChanges)
    if ((state === 'ready') === this.#running.has(name)) return
    if (state === 'ready') this.#running.add(name)
    else this.#running.delete(name)
    this.#onRun(change)
  }

  /** Number kept at the moment: a few more than are reported, so that they are not copied for each one. */
  get size(): number {
    return this.#changes.length
  }

  /** The changes from a time on. */
  since(from: number): readonly StateChange[] {
    return this.#changes.slice(-maxStateChanges).filter(({ at }) => at >= from)
  }
}
