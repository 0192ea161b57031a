/** Waits for some milliseconds; rejects with the signal's reason when it aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Waits for a promise; rejects with the signal's reason when it aborts, and the work behind the promise goes on. */
export function waitOrAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A wait that has begun; call `stop` when the wait is no longer needed. */
export interface AbortableWait {
  readonly promise: Promise<void>
  stop(): void
}

/** Listens at once, so that nothing is missed before the promise is awaited; it rejects with the signal's reason. */
export function waitFor(listen: (happened: () => void) => () => void, signal: AbortSignal): AbortableWait {
  let stop = (): void => {}
  const promise = new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    const unlisten = listen(resolve)
    signal.addEventListener('abort', onAbort)
    stop = () => {
      unlisten()
      signal.removeEventListener('abort', onAbort)
    }
  })
  promise.catch(() => {})
  return { promise, stop: () => stop() }
}
