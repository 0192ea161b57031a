import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type { SessionChange, SessionRecord, SessionStore, VersionedSession } from './session-store.ts'

/** Limits of a {@link MemorySessionStore}. */
export interface SessionStoreLimits {
  /** Sessions; beyond that the least recently used are dropped. @default 10_000 */
  readonly maxSessions?: number
}

/** The default limits of a store. */
export const sessionStoreLimits = { maxSessions: 10_000 } as const satisfies SessionStoreLimits

interface Kept {
  readonly record: SessionRecord
  /** The message of each key that was changed. */
  readonly changes: ReadonlyMap<string, SessionRecord['messages'][number]>
  readonly version: number
}

/** A session store in memory, for several endpoints of one process. */
export class MemorySessionStore implements SessionStore {
  readonly #limits: Required<SessionStoreLimits>
  readonly #records = new Map<string, Kept>()

  constructor(options: { readonly limits?: SessionStoreLimits } = {}) {
    this.#limits = resolveKnownLimits(sessionStoreLimits, options.limits)
  }

  save(id: string, record: SessionRecord): void {
    this.#keep(id, { record, changes: new Map(), version: (this.#records.get(id)?.version ?? 0) + 1 })
  }

  load(id: string): SessionRecord | undefined {
    return this.read(id)?.record
  }

  read(id: string): VersionedSession | undefined {
    const kept = this.#records.get(id)
    if (!kept) return undefined
    // marks it as used
    this.#keep(id, kept)
    const { record, changes, version } = kept
    if (changes.size === 0) return { record, version }
    return { record: { ...record, messages: [...record.messages, ...changes.values()] }, version }
  }

  version(id: string): number | undefined {
    const kept = this.#records.get(id)
    if (kept) this.#keep(id, kept)
    return kept?.version
  }

  change(id: string, { key, message }: SessionChange): number | undefined {
    const kept = this.#records.get(id)
    if (!kept) return undefined
    const changes = new Map(kept.changes)
    if (message) changes.set(key, message)
    else changes.delete(key)
    const version = kept.version + 1
    this.#keep(id, { ...kept, changes, version })
    return version
  }

  drop(id: string): void {
    this.#records.delete(id)
  }

  #keep(id: string, kept: Kept): void {
    this.#records.delete(id)
    this.#records.set(id, kept)
    for (const [oldest] of this.#records) {
      if (this.#records.size <= this.#limits.maxSessions) return
      this.#records.delete(oldest)
    }
  }

  /** The number of sessions. */
  get live(): { readonly records: number } {
    return { records: this.#records.size }
  }
}
