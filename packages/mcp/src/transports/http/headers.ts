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
