import { McpError } from '../wire/errors.ts'
import { resolveKnownLimits } from '../wire/resolve-limits.ts'
import type { EffectAttempt, EffectName, EffectState, EffectStore, StoredEffect } from './effect-store.ts'

/** Limits of a {@link MemoryEffectStore}. */
export interface EffectStoreLimits {
  /** Effects that are remembered. @default 10_000 */
  readonly maxEffects: number
  /** Characters of JSON of all their values. @default 67_108_864 (64 Mi) */
  readonly maxChars: number
}

export const effectStoreLimits = { maxEffects: 10_000, maxChars: 67_108_864 } as const satisfies EffectStoreLimits

interface Kept {
  effect: StoredEffect
  chars: number
  readonly expiresAt: number
  attempt?: string
  /** Time at which the attempt is over, as in `Date.now()`. */
  leaseUntil: number
}

/** Side effects in the memory of one process: those that are done longest make room for new ones. */
export class MemoryEffectStore implements EffectStore {
  readonly #limits: EffectStoreLimits
  readonly #kept = new Map<string, Kept>()
  #chars = 0

  constructor({ limits }: { readonly limits?: Partial<EffectStoreLimits> } = {}) {
    this.#limits = resolveKnownLimits(effectStoreLimits, limits)
  }

  begin(name: EffectName, expiresAt: number): StoredEffect | undefined {
    const key = keyOf(name)
    const known = this.#kept.get(key)
    if (known && known.expiresAt > Date.now()) return known.effect
    this.#delete(key)
    this.#makeRoom(0)
    if (this.#kept.size >= this.#limits.maxEffects)
      throw new McpError(
        'TooMany',
        `Cannot begin a side effect: ${this.#limits.maxEffects} are under way ("limits.maxEffects")`,
      )
    this.#kept.set(key, { effect: { state: 'begun' }, chars: 0, expiresAt, leaseUntil: 0 })
    return undefined
  }

  done(name: EffectName, value: unknown): void {
    const key = keyOf(name)
    const known = this.#kept.get(key)
    if (!known) return
    // what is done again makes no room at its own cost
    this.#chars -= known.chars
    Object.assign(known, { effect: { state: 'begun' }, chars: 0 })
    const chars = (JSON.stringify(value) ?? '').length
    this.#makeRoom(chars)
    known.effect = { state: 'done', value }
    known.chars = chars
    this.#chars += chars
  }

  undone(name: EffectName): void {
    this.#delete(keyOf(name))
  }

  attempt(name: EffectName, { attempt, leaseMs, expiresAt, repeats = false }: EffectAttempt): EffectState {
    const known = this.begin(name, expiresAt)
    const kept = this.#kept.get(keyOf(name))
    if (!kept) return { state: 'unknown' }
    if (known?.state === 'done') return known
    const isOver = kept.leaseUntil <= Date.now()
    if (known && kept.attempt !== attempt && !(isOver && repeats)) return { state: isOver ? 'unknown' : 'running' }
    kept.attempt = attempt
    kept.leaseUntil = Date.now() + leaseMs
    return { state: 'mine' }
  }

  finish(name: EffectName, attempt: string, value: unknown): boolean {
    if (this.#kept.get(keyOf(name))?.attempt !== attempt) return false
    this.done(name, value)
    return true
  }

  abandon(name: EffectName, attempt: string): boolean {
    const kept = this.#kept.get(keyOf(name))
    if (kept?.attempt !== attempt || kept.effect.state === 'done') return false
    this.undone(name)
    return true
  }

  #delete(key: string): void {
    this.#chars -= this.#kept.get(key)?.chars ?? 0
    this.#kept.delete(key)
  }

  /** Forgets what is done, the oldest first; what is under way stays. */
  #makeRoom(chars: number): void {
    for (const [key, { effect, expiresAt }] of this.#kept) {
      const isFull = this.#kept.size >= this.#limits.maxEffects || this.#chars + chars > this.#limits.maxChars
      if (!isFull && expiresAt > Date.now()) return
      if (effect.state === 'done') this.#delete(key)
    }
  }
}

const keyOf = ({ call, key }: EffectName): string => JSON.stringify([call, key])
