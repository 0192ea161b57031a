import { deferred } from '../../relay/deferred.ts'

/** Waits for a promise, or until the signal aborts: then rejects with its reason. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  signal.throwIfAborted()
  const { promise: aborted, reject } = deferred<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Waits for a promise for so long; then rejects with the error that `late` makes. */
export async function orLate<Value>(promise: Promise<Value>, waitMs: number, late: () => Error): Promise<Value> {
  const { promise: timeout, reject } = deferred<never>()
  const timer = setTimeout(() => reject(late()), waitMs).unref()
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
