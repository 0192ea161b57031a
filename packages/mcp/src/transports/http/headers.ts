import { isObject, type Message } from '../../wire/messages.ts'

/** Headers by name. */
export type Headers = { readonly [name: string]: string }

export const jsonHeaders: Headers = { 'content-type': 'application/json' }

/** The headers of an event stream: proxies must not cache, change or buffer it. */
export const streamHeaders: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** The header of the session id. */
export const sessionHeader = 'mcp-session-id'
export const lastEventHeader = 'last-event-id'

/** The headers of an answer: those given, and `Retry-After` when it is an error that says when to try again. */
export function answerHeaders(headers: Headers, answer: Message | readonly Message[]): Headers {
  const data = 'error' in answer ? answer.error.data : undefined
  const afterMs = isObject(data) ? data.retryAfterMs : undefined
  if (typeof afterMs !== 'number' || !(afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY)) return headers
  return { ...headers, 'retry-after': String(Math.ceil(afterMs / 1_000)) }
}
