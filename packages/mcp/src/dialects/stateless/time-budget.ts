import { Deadline } from '../../rpc/deadline.ts'

export interface TimeBudget {
  readonly leftMs: number
  /** Aborts when the caller stops waiting, with the reason to reject with. */
  readonly signal: AbortSignal
  /** The error when the time is up. */
  late(): Error
}

/** Waits for an answer within the time budget of the call. */
export function withinBudget<T>(answering: Promise<T>, { leftMs, signal, late }: TimeBudget): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutMs = Math.max(leftMs, 1)
    const deadline = new Deadline(
      { timeoutMs, maxTotalMs: timeoutMs },
      { held: () => false, expire: () => end(late()) },
    )
    const stop = (): void => {
      deadline.stop()
      signal.removeEventListener('abort', onAbort)
    }
    const end = (reason: unknown): void => {
      stop()
      reject(reason)
    }
    const onAbort = (): void => end(signal.reason)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    answering.then((answer) => {
      stop()
      resolve(answer)
    }, end)
  })
}
