/** Headers by name. */
export type Headers = { readonly [name: string]: string }

export const jsonHeaders: Headers = { 'content-type': 'application/json' }

/** Proxies must neither keep nor change a stream of events, nor wait until it is complete. */
export const streamHeaders: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** The session a request belongs to, in the revisions that have sessions. */
export const sessionHeader = 'mcp-session-id'
export const lastEventHeader = 'last-event-id'
