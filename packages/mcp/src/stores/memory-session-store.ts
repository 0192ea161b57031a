import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'

/** Limits of a {@link MemorySessionStore}. */
export interface SessionStoreLimits {
  /** Sessions; beyond that the least recently used are dropped. @default 10_000 */
  readonly maxSessions?: number
}

/** The default limits of a store. */
export const sessionStoreLimits = { maxSessions: 10_000 } as const satisfies SessionStoreLimits

/** A session store in memory, for several endpoints of one process. */
export class MemorySessionStore implements SessionStore {
  readonly #limits: Required<SessionStoreLimits>
  readonly #records = new Map<string, SessionRecord>()

  constructor(options: { readonly limits?: SessionStoreLimits } = {}) {
    this.#limits = resolveKnownLimits(sessionStoreLimits, options.limits)
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
    // marks it as used
    if (record) this.save(id, record)
    return record
  }

  drop(id: string): void {
    this.#records.delete(id)
  }

  /** The number of sessions. */
  get live(): { readonly records: number } {
    return { records: this.#records.size }
  }
}
