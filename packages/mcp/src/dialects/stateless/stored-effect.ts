import type { EffectName, EffectStore } from '../../stores/effect-store.ts'
import { InternalError, RpcError } from '../../wire/errors.ts'
import type { OnceOptions } from '../dialect.ts'
import { sharedEffect } from './shared-effect.ts'

export interface StoredEffectParts {
  readonly store: EffectStore
  /** The same store, where several processes share it. */
  readonly shared?: Required<EffectStore> | undefined
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
  const { store, shared, effect, expiresAt } = parts
  if (shared) return storedOnce(parts, shared, run, repeatable)
  const known = await kept(parts, () => store.begin(effect, expiresAt))
  if (known?.state === 'done') return known.value as T
  if (known && !repeatable) throw outcomeUnknown(effect)
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

/** Runs an effect once in all processes; a failure of the store is no failure of the effect. */
async function storedOnce<T>(
  parts: StoredEffectParts,
  store: Required<EffectStore>,
  run: () => T | Promise<T>,
  repeats: boolean,
): Promise<T> {
  const { effect, expiresAt } = parts
  let failure: { readonly error: unknown } | undefined
  const runs = async (): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  const done = await kept(parts, () =>
    sharedEffect({ store, effect, expiresAt, repeats }, runs).catch((error: unknown) => {
      if (!failure) throw error
      return undefined
    }),
  )
  if (failure) throw failure.error
  if (!done) throw outcomeUnknown(effect)
  return done.value
}

function outcomeUnknown({ key }: EffectName): RpcError {
  const why = `step "${key}" had begun with an earlier request, and whether it took effect is unknown`
  return new RpcError(InternalError, `Cannot continue: ${why}`, { step: key })
}

async function kept<Value>({ effect, report }: StoredEffectParts, write: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    report(error, `Storing step "${effect.key}"`)
    throw new RpcError(InternalError, `Cannot continue: step "${effect.key}" cannot be stored`, { step: effect.key })
  }
}
