import { McpError } from '../../../wire/errors.ts'
import type { RetryHint } from '../terms.ts'

/** Advice of an HTTP answer on another try; undefined where it gives none. */
export function retryHintOf(error: unknown): RetryHint | undefined {
  if (!(error instanceof McpError) || error.status === undefined) return undefined
  const { status, retryAfterMs } = error
  const after = retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }
  if (status === 429) return { class: 'rateLimited', ...after }
  if (status === 408 || status >= 500) return { class: 'transient', ...after }
  return undefined
}
