import { Deadline } from '../../rpc/deadline.ts'

export interface TimeBudget {
  readonly leftMs: number
  readonly signal: AbortSignal | undefined
  /** What the caller is told when the time is up. */
  late(): Error
}

/** Waits for whoever answers no longer than the caller of the request waits. */
export function withinBudget<T>(answering: Promise<T>, { leftMs, signal, late }: TimeBudget): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutMs = Math.max(leftMs, 1)
    const deadline = new Deadline(
      { timeoutMs, maxTotalMs: timeoutMs },
      { held: () => false, expire: () => end(late()) },
    )
    const stop = (): void => {
      deadline.stop()
      signal?.removeEventListener('abort', onAbort)
    }
    const end = (reason: unknown): void => {
      stop()
      reject(reason)
    }
    const onAbort = (): void => end(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    answering.then((answer) => {
      stop()
      resolve(answer)
    }, end)
  })
}
