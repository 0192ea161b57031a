import { z } from 'zod'
import type { Route } from './route.ts'

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
  wire: {
    method: 'GET',
    path: '/api/acts/{act}/wire',
    needs: 'nothing',
    says: 'The messages and HTTP requests of one act on both hops; they are kept while a page is open',
    answer: z.object({
      items: z.array(z.discriminatedUnion('kind', [wireMessage, wireHttp])),
      level: z.enum(['full', 'shape', 'off']).describe('How much is kept of its server'),
    }),
  },
  timeline: {
    method: 'GET',
    path: '/api/timeline',
    needs: 'nothing',
    says: 'What took how long since a time, and what became of servers meanwhile',
    query: z.strictObject({ since: z.coerce.number() }),
    answer: z.object({ spans: z.array(wireSpan), states: z.array(stateChange) }),
  },
  recording: {
    method: 'GET',
    path: '/api/servers/{server}/recording',
    needs: 'nothing',
    says: 'What passed between the host and a server, as a recording that "trunkline replay" plays',
    answer: z.object({ lines: z.array(z.string()) }),
  },
} as const satisfies { readonly [name: string]: Route }
