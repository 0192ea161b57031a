import type { Fields } from '@trunkline/mcp'
import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import type { WireItem } from '../gateway/wire/wire-item.ts'
import { queryLedger } from '../ledger/query.ts'
import { ApiError } from './api-error.ts'
import { knownKey } from './known-key.ts'
import { route } from './route.ts'

const milliseconds = z.number().describe('As in Date.now()')
const hop = z.enum(['caller', 'server']).describe('Between a caller and the host, or between it and a server')
const headers = z.record(z.string(), z.string())

const wireMessage = z.object({
  kind: z.literal('message'),
  number: z.number(),
  at: milliseconds,
  hop,
  direction: z.enum(['sent', 'received']).describe('As seen from the host'),
  connection: z.string(),
  message: z.record(z.string(), z.unknown()).describe('The message of JSON-RPC, without secrets'),
})

const wireHttp = z.object({
  kind: z.literal('http'),
  number: z.number(),
  at: milliseconds,
  hop,
  ms: z.number(),
  method: z.string(),
  url: z.string(),
  status: z.number(),
  requestHeaders: headers,
  responseHeaders: headers,
})

const wireItem = z.discriminatedUnion('kind', [wireMessage, wireHttp])

const wireSpan = z.object({
  act: z.string(),
  server: z.string(),
  hop,
  kind: z.enum(['round', 'request', 'retry', 'question', 'http']),
  name: z.string(),
  from: milliseconds,
  to: milliseconds.optional().describe('Missing while it goes on'),
  isError: z.boolean(),
})

const stateChange = z.object({ server: z.string(), state: z.string(), why: z.string(), at: milliseconds })

/** Routes of the wire log and the timeline. */
export const activityRoutes = {
  wire: route({
    method: 'GET',
    path: '/api/acts/{act}/wire',
    needs: 'nothing',
    says: 'The messages and HTTP requests of one act on both hops; they are kept while a page is open',
    answer: z.object({
      items: z.array(wireItem),
      level: z.enum(['full', 'shape', 'off']).describe('How much is kept of its server'),
    }),
    handle: ({ act }, { host }) => {
      const server = queryLedger(host.store, { act, most: 1 })[0]?.line.server
      return {
        items: host.wire.of(act).map(shown),
        level: server === undefined ? 'full' : host.recordLevelOf(knownKey(host, server)),
      }
    },
  }),
  timeline: route({
    method: 'GET',
    path: '/api/timeline',
    needs: 'nothing',
    says: 'What took how long since a time, and what became of servers meanwhile',
    query: z.strictObject({ since: z.coerce.number() }),
    answer: z.object({ spans: z.array(wireSpan), states: z.array(stateChange) }),
    handle: ({ since }, { host }) => ({
      spans: [...host.wire.spans(since)],
      states: host.states.since(since).map((change) => ({ ...change, server: serverNameOf(change.server) })),
    }),
  }),
  recording: route({
    method: 'GET',
    path: '/api/servers/{server}/recording',
    needs: 'nothing',
    says: 'What passed between the host and a server, as a recording that "trunkline replay" plays',
    answer: z.object({ lines: z.array(z.string()) }),
    handle: ({ server }, { host }) => {
      const level = host.recordLevelOf(knownKey(host, server))
      if (level !== 'full') {
        throw new ApiError(409, `Cannot record server "${server}": its setting "record" is "${level}", and not "full"`)
      }
      const lines = host.wire.recording(knownKey(host, server))
      if (lines.length > 0) return { lines: [...lines] }
      throw new ApiError(409, `Nothing passed to server "${server}" while a page was open; call it and try again`)
    },
  }),
}

function shown(item: WireItem): z.output<typeof wireItem> {
  if (item.kind === 'http') {
    const { act: _act, server: _server, ...http } = item
    return { ...http, requestHeaders: { ...http.requestHeaders }, responseHeaders: { ...http.responseHeaders } }
  }
  const { kind, number, at, hop, direction, connection, text } = item
  return { kind, number, at, hop, direction, connection, message: JSON.parse(text) as Fields }
}
