import { refuseUnknownLimits, resolveLimits } from '../wire/resolve-limits.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'

/** How many sessions are kept in memory. */
export interface SessionStoreLimits {
  /** Records kept; beyond that those go first that were not used for longest. @default 10_000 */
  readonly maxSessions?: number
}

/** The limits of a store where none are given. */
export const sessionStoreLimits = { maxSessions: 10_000 } as const satisfies SessionStoreLimits

/** A store in memory, for several endpoints of one process. */
export class MemorySessionStore implements SessionStore {
  readonly #limits: Required<SessionStoreLimits>
  readonly #records = new Map<string, SessionRecord>()

  constructor(options: { readonly limits?: SessionStoreLimits } = {}) {
    refuseUnknownLimits(options.limits, sessionStoreLimits)
    this.#limits = resolveLimits(sessionStoreLimits, options.limits)
  }

  save(id: string, record: SessionRecord): void {
    this.#records.delete(id)
    this.#records.set(id, record)
    for (const [oldest] of this.#records) {
      if (this.#records.size <= this.#limits.maxSessions) return
      this.#records.delete(oldest)
    }
  }

  load(id: string): SessionRecord | undefined {
    const record = this.#records.get(id)
    // used last, so the last to go
    if (record) this.save(id, record)
    return record
  }

  drop(id: string): void {
    this.#records.delete(id)
  }

  /** How many sessions are kept. */
  get live(): { readonly records: number } {
    return { records: this.#records.size }
  }
}
