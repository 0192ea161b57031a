import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../server/endpoint.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import type { RequestContext } from '../server/request-reply.ts'
import { NodeReply } from './reply.ts'
import { NodeRequest } from './request.ts'

/** What `node:http`, Express and others call with each request. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a request about which somebody before us has found out something. */
  handle(request: IncomingMessage, response: ServerResponse, known: RequestContext): void
  /** Takes no more requests, answers those under way as far as time allows, then ends every session and stream. */
  close(): Promise<void>
}

/** The face of an endpoint for `node:http`. */
export function nodeListener(endpoint: Endpoint, keepAlive: KeepAlive): NodeListener {
  const handle = (request: IncomingMessage, response: ServerResponse, known?: RequestContext): void =>
    endpoint.handle(new NodeRequest(request, response, known), new NodeReply(response, endpoint.readers, keepAlive))
  const listener = (request: IncomingMessage, response: ServerResponse): void => handle(request, response)
  return Object.assign(listener, { handle, close: () => endpoint.close() })
}
