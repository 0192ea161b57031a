import type { Fields } from '@trunkline/mcp'
import { serverNameOf } from '../act/server-key.ts'
import type { WireItem } from '../gateway/wire/wire-item.ts'
import { queryLedger } from '../ledger/query.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { knownKey } from './known-key.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

/** Handlers of the wire log and the timeline. */
export function activityHandlers(parts: ApiParts): Pick<Handlers, 'wire' | 'timeline' | 'recording'> {
  const { wire, store, states } = parts
  return {
    wire: ({ act }) => {
      const server = queryLedger(store, { act, most: 1 })[0]?.line.server
      return { items: wire.of(act).map(shown), level: server === undefined ? 'full' : parts.recordLevelOf(server) }
    },
    timeline: ({ since }) => ({
      spans: [...wire.spans(since)],
      states: states.since(since).map((change) => ({ ...change, server: serverNameOf(change.server) })),
    }),
    recording: ({ server }) => {
      const level = parts.recordLevelOf(server)
      if (level !== 'full') {
        throw new ApiError(409, `Cannot record server "${server}": its setting "record" is "${level}", and not "full"`)
      }
      const lines = wire.recording(knownKey(parts, server))
      if (lines.length > 0) return { lines: [...lines] }
      throw new ApiError(409, `Nothing passed to server "${server}" while a page was open; call it and try again`)
    },
  }
}

function shown(item: WireItem): RouteAnswer<'wire'>['items'][number] {
  if (item.kind === 'http') {
    const { act: _act, server: _server, ...http } = item
    return { ...http, requestHeaders: { ...http.requestHeaders }, responseHeaders: { ...http.responseHeaders } }
  }
  const { kind, number, at, hop, direction, connection, text } = item
  return { kind, number, at, hop, direction, connection, message: JSON.parse(text) as Fields }
}
