import { randomId } from '@trunkline/base/random-id'
import type { EffectAttempt, EffectName, EffectState, EffectStore } from '../../stores/effect-store.ts'

/** Milliseconds after which an attempt that is no longer heard of is over. */
const leaseMs = 15_000
/** Milliseconds between looks at an attempt of another process. */
const lookMs = 200

export interface SharedEffectParts {
  readonly store: Required<EffectStore>
  readonly effect: EffectName
  /** Time after which the record may be dropped. */
  readonly expiresAt: number
  /** True to take over an effect whose outcome is unknown. */
  readonly repeats: boolean
}

/**
 * Runs a side effect once in all processes that share a store; one that another process runs is waited for. Undefined when it had
 * begun and its outcome is unknown.
 */
export async function sharedEffect<T>(
  parts: SharedEffectParts,
  run: () => T | Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const { store, effect, expiresAt, repeats } = parts
  const attempt: EffectAttempt = { attempt: randomId(22), leaseMs, expiresAt, repeats }
  let state = await attempted(store, effect, attempt)
  while (state.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, lookMs * (0.5 + Math.random())))
    state = await attempted(store, effect, attempt)
  }
  if (state.state === 'done') return { value: state.value as T }
  if (state.state === 'unknown') return undefined
  const value = await whileHeld(parts, attempt, run)
  return (await store.finish(effect, attempt.attempt, value)) ? { value } : undefined
}

// a begin whose answer was lost is recognised by its name
async function attempted(
  store: Required<EffectStore>,
  effect: EffectName,
  attempt: EffectAttempt,
): Promise<EffectState> {
  try {
    return await store.attempt(effect, attempt)
  } catch {
    return store.attempt(effect, attempt)
  }
}

/** Runs an effect while other processes are told that it is running. */
async function whileHeld<T>(
  { store, effect }: SharedEffectParts,
  attempt: EffectAttempt,
  run: () => T | Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => {
    Promise.resolve(store.attempt(effect, attempt)).catch(() => {})
  }, leaseMs / 3)
  try {
    return await run()
  } catch (error) {
    // a failed effect may be tried again
    await store.abandon(effect, attempt.attempt)
    throw error
  } finally {
    clearInterval(renewing)
  }
}
