import { McpError, RpcError } from '../../../wire/errors.ts'
import { isObject } from '../../../wire/messages.ts'
import type { RetryHint } from '../terms.ts'

/** Advice of a refusal on another try; undefined where it gives none. */
export function retryHintOf(error: unknown): RetryHint | undefined {
  const data = error instanceof RpcError && isObject(error.data) ? error.data : {}
  if (typeof data.retryAfterMs === 'number') return { class: 'rateLimited', afterMs: data.retryAfterMs }
  if (!(error instanceof McpError) || error.status === undefined) return undefined
  const { status, retryAfterMs } = error
  const after = retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }
  if (status === 429) return { class: 'rateLimited', ...after }
  if (status === 408 || status >= 500) return { class: 'transient', ...after }
  return undefined
}
