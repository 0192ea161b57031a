import type { RequestListener } from 'node:http'
import type { Endpoint } from '../server/endpoint.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { methodNotAllowed } from '../server/refusals.ts'
import type { HttpReply, HttpRequest } from '../server/request-reply.ts'
import { nodeListener } from './node-handler.ts'
import { NodeReply } from './reply.ts'
import { NodeRequest } from './request.ts'

/** The routes of a server. */
export interface Routes {
  readonly paths: readonly string[]
  readonly listener: RequestListener
}

/** Routes requests to the endpoint, `/healthz` and `/readyz`; everything else is 404, behind the same guard. */
export function routing(endpoint: Endpoint, keepAlive: KeepAlive, path: string): Routes {
  const aside =
    (answer: typeof health): RequestListener =>
    (request, response) =>
      endpoint.handleBeside(
        new NodeRequest(request, response),
        new NodeReply(response, endpoint.readers, keepAlive),
        answer,
      )
  const listener = nodeListener(endpoint, keepAlive)
  const routes = new Map<string, RequestListener>([
    ['/healthz', aside(health)],
    ['/readyz', aside((request, reply) => readiness(request, reply, endpoint.unreadyFor))],
    [path, listener],
  ])
  const nowhere = aside(notFound)
  // some paths are only known once the server listens
  const elsewhere = (at: string): RequestListener => (endpoint.paths.includes(at) ? listener : nowhere)
  return {
    get paths() {
      return [...routes.keys(), ...endpoint.paths]
    },
    listener(request, response) {
      const at = pathOf(request.url)
      const answer = routes.get(at) ?? elsewhere(at)
      answer(request, response)
    },
  }
}

function pathOf(url = '/'): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

function health({ method }: HttpRequest, reply: HttpReply): void {
  if (method !== 'GET') throw methodNotAllowed('GET')
  reply.whole(200, { 'content-type': 'text/plain' }, 'ok\n')
}

/** Says whether a balancer should send requests, which a process without its store still lives to answer. */
function readiness({ method }: HttpRequest, reply: HttpReply, unreadyFor: string | undefined): void {
  if (method !== 'GET') throw methodNotAllowed('GET')
  reply.whole(unreadyFor === undefined ? 200 : 503, { 'content-type': 'text/plain' }, `${unreadyFor ?? 'ok'}\n`)
}

function notFound(_request: HttpRequest, reply: HttpReply): void {
  reply.whole(404, { 'content-type': 'text/plain' }, 'Not found\n')
}
