import type { EffectName, EffectStore } from '../../stores/effect-store.ts'
import { InternalError, RpcError } from '../../wire/errors.ts'
import type { OnceOptions } from '../dialect.ts'

export interface StoredEffectParts {
  readonly store: EffectStore
  readonly effect: EffectName
  /** Time after which the request can no longer be repeated. */
  readonly expiresAt: number
  /** Logs an internal error. */
  report(error: unknown, what: string): void
}

/** Runs a side effect of a request that may arrive again, here or in another process: the store knows whether it did. */
export async function storedEffect<T>(
  parts: StoredEffectParts,
  run: () => T | Promise<T>,
  { repeatable = false }: OnceOptions = {},
): Promise<T> {
  const { store, effect, expiresAt } = parts
  const { key } = effect
  const known = await kept(parts, () => store.begin(effect, expiresAt))
  if (known?.state === 'done') return known.value as T
  if (known && !repeatable) {
    const why = `step "${key}" had begun with an earlier request, and whether it took effect is unknown`
    throw new RpcError(InternalError, `Cannot continue: ${why}`, { step: key })
  }
  let value: T
  try {
    value = await run()
  } catch (error) {
    // a failed effect may be tried again
    await kept(parts, () => store.undone(effect))
    throw error
  }
  await kept(parts, () => store.done(effect, value))
  return value
}

async function kept<Value>({ effect, report }: StoredEffectParts, write: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    report(error, `Storing step "${effect.key}"`)
    throw new RpcError(InternalError, `Cannot continue: step "${effect.key}" cannot be stored`, { step: effect.key })
  }
}
