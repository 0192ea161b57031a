import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../server/endpoint.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import type { RequestContext } from '../server/request-reply.ts'
import { NodeReply } from './reply.ts'
import { NodeRequest } from './request.ts'

/** A request listener for `node:http` and Express. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a request with context from a framework, such as an authenticated caller. */
  handle(request: IncomingMessage, response: ServerResponse, known: RequestContext): void
  /** Refuses new requests, waits `drainMs` for those in flight, then ends all sessions and streams. */
  close(): Promise<void>
}

/** Adapts an endpoint to `node:http`. */
export function nodeListener(endpoint: Endpoint, keepAlive: KeepAlive): NodeListener {
  const handle = (request: IncomingMessage, response: ServerResponse, known?: RequestContext): void =>
    endpoint.handle(new NodeRequest(request, response, known), new NodeReply(response, endpoint.readers, keepAlive))
  const listener = (request: IncomingMessage, response: ServerResponse): void => handle(request, response)
  return Object.assign(listener, { handle, close: () => endpoint.close() })
}
