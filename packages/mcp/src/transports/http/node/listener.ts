import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../endpoint.ts'
import type { KeepAlive } from '../keep-alive.ts'
import { NodeReply } from './reply.ts'
import { NodeRequest } from './request.ts'

/** What `node:http`, Express and others call with each request. */
export interface NodeListener {
  /** Express gives its `next` where others may say who was authenticated; it is not needed. */
  (request: IncomingMessage, response: ServerResponse, principal?: string | ((error?: unknown) => void)): void
  /** Takes no more requests, answers those under way as far as time allows, then ends every session and stream. */
  close(): Promise<void>
}

/** The face of an endpoint for `node:http`. */
export function nodeListener(endpoint: Endpoint, keepAlive: KeepAlive): NodeListener {
  const listener = (request: IncomingMessage, response: ServerResponse, principal?: unknown): void => {
    const known = typeof principal === 'string' ? principal : undefined
    endpoint.handle(new NodeRequest(request, known), new NodeReply(response, keepAlive))
  }
  return Object.assign(listener, { close: () => endpoint.close() })
}
