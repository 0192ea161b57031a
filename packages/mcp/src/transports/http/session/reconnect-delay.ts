const longestMs = 2 ** 31 - 1

/** The `retry` that a stream tells its client: at random, because clients that lose their streams together should not reconnect together. */
export function spreadRetryMs(retryMs: number): number {
  return Math.min(Math.round(retryMs * (1 + 2 * Math.random())), longestMs)
}
