import { Agent, type AgentOptions, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { request as requestHttp } from './node-http.ts'
import { proxyCredentials } from './proxy-credentials.ts'
import { proxyFailure } from './proxy-failure.ts'

/** Milliseconds that a proxy may take to open a tunnel. */
const connectMs = 10_000

interface Target {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

type Connected = (error: Error | null, stream: Duplex) => void

/** Reaches servers through tunnels that a proxy opens; the proxy sees names and ports, and nothing that is sent. */
export class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #ca: readonly string[] | undefined

  constructor(proxy: URL, { ca, ...options }: AgentOptions & { readonly ca?: readonly string[] | undefined }) {
    super({ ...options, ...(ca && { ca: [...ca] }) })
    this.#proxy = proxy
    this.#ca = ca
  }

  override createConnection(options: Target, connected?: Connected): undefined {
    const report = connected ?? (() => {})
    this.#open(`${bracketed(options.host ?? '')}:${options.port ?? 443}`).then(
      (socket) => report(null, connectTls(encrypted(options, socket))),
      (error: Error) => report(error, undefined as unknown as Duplex),
    )
  }

  #open(target: string): Promise<Duplex> {
    const proxy = this.#proxy
    const options = {
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyCredentials(proxy) },
      agent: false,
      ...(this.#ca && { ca: [...this.#ca] }),
    } as const
    const address = { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: proxy.port || defaultPort(proxy) }
    return new Promise((resolve, reject) => {
      const asked = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({ ...options, ...address })
      const late = (): unknown => asked.destroy(new Error(`it did not answer within ${connectMs} ms`))
      const timer = setTimeout(late, connectMs)
      asked.once('connect', ({ statusCode = 0, statusMessage = '' }, socket, head) => {
        clearTimeout(timer)
        if (statusCode === 200) return resolve(withHead(socket, head))
        socket.destroy()
        reject(proxyFailure(proxy, { status: statusCode, said: statusMessage, target }))
      })
      asked.once('error', (cause) => {
        clearTimeout(timer)
        reject(proxyFailure(proxy, { cause, target }))
      })
      asked.end()
    })
  }
}

/** Options for TLS: the host is for the certificate alone, since the connection is there. */
function encrypted({ path: _, ...options }: Target & { readonly path?: unknown }, socket: Duplex): ConnectionOptions {
  return { ...(options as ConnectionOptions), socket }
}

/** Gives back the bytes right behind the proxy's answer, which belong to the server. */
function withHead(socket: Duplex, head: Buffer): Duplex {
  if (head.length > 0) socket.unshift(head)
  return socket
}

function defaultPort({ protocol }: URL): number {
  return protocol === 'https:' ? 443 : 80
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
