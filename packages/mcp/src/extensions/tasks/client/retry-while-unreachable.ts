import { wait } from '../../../rpc/abortable-wait.ts'
import { McpError } from '../../../wire/errors.ts'

const firstPauseMs = 200
const longestPauseMs = 5_000

/** Repeats an idempotent request while the server is unreachable, for at most `outageMs`. */
export async function retryWhileUnreachable<Value>(
  run: () => Promise<Value>,
  { outageMs, signal }: { readonly outageMs: number; readonly signal: AbortSignal },
): Promise<Value> {
  const until = performance.now() + outageMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await run()
    } catch (error) {
      signal.throwIfAborted()
      if (!isOutage(error) || performance.now() + pauseMs > until) throw error
      await wait(pauseMs, signal)
    }
  }
}

// only failures without an answer of the server are repeated
const outages: ReadonlySet<unknown> = new Set(['Http', 'Timeout', 'NotSent', 'Closed', 'Busy'])

/** True if no answer came, so that another attempt may get one. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof McpError) || !outages.has(error.code)) return false
  return error.status === undefined || error.status === 429 || error.status >= 500
}
