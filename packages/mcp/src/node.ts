/** HTTP on Node, without conversion to web-standard objects. */

import { endpointOf, type HttpOptions, joinSoon, knownHttpOptions } from './http-endpoint.ts'
import type { Servable } from './server/connections.ts'
import { type HttpServerOptions, listenHttp, type RunningServer } from './transports/http/node/listen-http.ts'
import { type NodeListener, nodeListener } from './transports/http/node/node-handler.ts'
import { isLoopback } from './transports/http/server/guard.ts'
import { httpLimits, httpServerLimits } from './transports/http/server/http-limits.ts'
import { McpError } from './wire/errors.ts'
import { type KnownOptions, refuseUnknownOptions } from './wire/known-options.ts'
import { refuseUnknownLimits } from './wire/resolve-limits.ts'

export type * from './http-types.ts'
export type { NodeListener } from './transports/http/node/node-handler.ts'
export { ownHosts } from './transports/http/node/own-hosts.ts'
export { untilSignal } from './transports/http/node/shutdown-signals.ts'

/** A handler for `node:http` and Express that serves every revision at one URL. */
export function toNode(server: Servable, options: HttpOptions = {}): NodeListener {
  refuseUnknownOptions('Cannot serve', options, knownHttpOptions)
  refuseUnknownLimits(options.limits, httpLimits)
  const { endpoint, keepAlive, member } = endpointOf(server, options)
  joinSoon(server, member)
  return nodeListener(endpoint, keepAlive)
}

const knownServerOptions = {
  port: true,
  host: true,
  path: true,
  limits: true,
  headersTimeoutMs: true,
  requestTimeoutMs: true,
  websocket: true,
} as const satisfies KnownOptions<HttpServerOptions>

/** Serves a server over HTTP until it is closed. */
export async function serveHttp(
  server: Servable,
  options: HttpServerOptions & Omit<HttpOptions, 'limits'> = {},
): Promise<RunningServer> {
  refuseUnknownOptions('Cannot serve', options, { ...knownHttpOptions, ...knownServerOptions })
  refuseUnknownLimits(options.limits, httpServerLimits)
  const { host, hosts } = options
  if (host !== undefined && hosts === undefined && !isLoopback(host)) {
    const why = 'others can reach it there, so say in "hosts" by which names they address it, or give ownHosts()'
    throw new McpError('Misuse', `Cannot listen on ${host}: ${why}`)
  }
  const { endpoint, keepAlive, member } = endpointOf(server, options)
  await member?.start()
  return listenHttp(endpoint, keepAlive, options)
}
