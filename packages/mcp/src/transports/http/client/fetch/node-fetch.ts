import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib'
import { request as requestHttp } from '../../../../network/node-http.ts'
import { proxyFailure } from '../../../../network/proxy-failure.ts'
import { type FindRoute, type ProxyRoute, routes } from '../../../../network/routes.ts'
import type { Fetch, HttpRequestInit } from '../http-channel-options.ts'
import type { BodyReader, HttpResponse } from '../http-response.ts'
import { StreamReader } from './stream-reader.ts'

const connectMs = 10_000

/**
 * Carries requests over `node:http`: as much of `fetch` as the client needs, without the web streams that take most of
 * the time of a call. Never follows a redirect.
 */
export function fetchBy(find: FindRoute): Fetch {
  return (url, init) => carry(find(url), url, init)
}

/** Carries requests without a proxy. */
export const nodeFetch: Fetch = fetchBy(routes({ proxy: '' }))

function carry(
  route: ProxyRoute,
  url: string,
  { method, headers, body, signal }: HttpRequestInit,
): Promise<HttpResponse> {
  const { isSecure, proxy } = route
  const all = { 'accept-encoding': 'gzip, deflate, br', ...headers, ...route.headers }
  const options = { ...route.options, method, headers: all }
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const outgoing = (isSecure ? requestHttps : requestHttp)(options)
    let under: Destroyable = outgoing
    const abort = (): unknown => under.destroy(signal.reason)
    const release = (): void => signal.removeEventListener('abort', abort)
    // "close" comes after the caller has tried again: tries that fail would add up at their common signal
    const fail = (error: Error): void => {
      release()
      reject(error)
    }
    signal.addEventListener('abort', abort, { once: true })
    outgoing.once('response', (incoming) => {
      under = incoming
      if (proxy && incoming.statusCode === 407) {
        outgoing.destroy()
        return fail(proxyFailure(proxy, { status: 407, target: url }))
      }
      resolve(new NodeResponse(incoming))
    })
    // without a listener Node closes the connection silently
    outgoing.once('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve(new NodeResponse(incoming))
    })
    outgoing.once('close', release)
    // errors after the response reach the reader
    outgoing.on('error', fail)
    limitConnecting(outgoing)
    outgoing.end(body)
  })
}

interface Destroyable {
  destroy(reason: Error): unknown
}

/** Limits the time to connect. */
function limitConnecting(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = Object.assign(new Error(`No connection within ${connectMs} ms`), { code: 'ERR_CONNECT_TIMEOUT' })
    const timer = setTimeout(() => outgoing.destroy(late), connectMs)
    const enough = (): void => clearTimeout(timer)
    socket.once('connect', enough).once('close', enough)
  })
}

class NodeResponse implements HttpResponse {
  readonly status: number
  readonly statusText: string
  readonly type = 'default'
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.status = incoming.statusCode ?? 0
    this.statusText = incoming.statusMessage ?? ''
    this.#incoming = incoming
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get headers(): this {
    return this
  }

  get(name: string): string | null {
    const value = this.#incoming.headers[name.toLowerCase()]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  }

  /** The body; null after 101, because what follows is not HTTP. */
  get body(): this | null {
    return this.status === 101 ? null : this
  }

  getReader(): BodyReader {
    const incoming = this.#incoming
    const decoder = decoders.get(this.get('content-encoding')?.toLowerCase() ?? '')?.()
    if (!decoder) return new StreamReader(incoming)
    incoming.once('error', (error) => decoder.destroy(error))
    decoder.once('close', () => incoming.destroy())
    return new StreamReader(incoming.pipe(decoder))
  }
}

// a stream must be decompressed as it arrives
const flush = zlib.Z_SYNC_FLUSH
const brotliFlush = zlib.BROTLI_OPERATION_FLUSH
const decoders = new Map([
  ['gzip', () => createGunzip({ flush, finishFlush: flush })],
  ['deflate', () => createInflate({ flush, finishFlush: flush })],
  ['br', () => createBrotliDecompress({ flush: brotliFlush, finishFlush: brotliFlush })],
])
