/** The same server behind each of its faces, called the same way. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server, ServerTypes } from '@trunkline/mcp'
import { type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { type Headers, handshakes, opening, within } from './messages.ts'

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Headers
  readonly body?: string | Uint8Array
  /** Authenticated caller, where the face leaves that to another server. */
  readonly principal?: string
}

export interface Answer {
  readonly status: number
  readonly headers: globalThis.Headers
  /** The body; of a stream of events nothing. */
  readonly text: string
}

/** Something that answers. */
export interface Called {
  send(sent: Sent): Promise<Answer>
}

/** A server that can be called. */
export interface Face extends Called, AsyncDisposable {}

type Open = (server: Server<ServerTypes>, options?: HttpOptions) => Promise<Face>

/** A server of its own, with nothing said but what it serves. */
const own: Open = async (server, options = {}) => {
  const listening = await serveHttp(server, options)
  const port = Number(new URL(listening.url).port)
  return { send: (sent) => over(port, sent), [Symbol.asyncDispose]: () => listening.close() }
}

/** A listener in another server, which names the caller. */
const node: Open = async (server, options = {}) => {
  const listener = toNode(server, options)
  const http = createServer((message, response) => {
    const { 'x-principal': principal } = message.headers
    listener.handle(message, response, typeof principal === 'string' ? { principal } : {})
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo
  return {
    send: ({ principal, headers, ...sent }) =>
      over(port, { ...sent, headers: { ...headers, ...(principal !== undefined && { 'x-principal': principal }) } }),
    async [Symbol.asyncDispose]() {
      await listener.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** A handler of web-standard requests. */
const fetching: Open = async (server, options = {}) => {
  const handler = toFetch(server, options)
  return {
    async send({ method = 'POST', path = '/mcp', headers = {}, body, principal }) {
      const init = { method, headers, ...(body !== undefined && { body: Buffer.from(body) }) }
      const known = principal === undefined ? {} : { principal }
      const response = await handler.handle(new Request(`http://127.0.0.1${path}`, init), known)
      const isStream = response.headers.get('content-type') === 'text/event-stream'
      if (isStream) await response.body?.cancel()
      return { status: response.status, headers: response.headers, text: isStream ? '' : await response.text() }
    },
    [Symbol.asyncDispose]: () => handler.close(),
  }
}

export const faces: Readonly<Record<'own' | 'node' | 'fetch', Open>> = { own, node, fetch: fetching }

/** A server that listens already. */
export function faceAt(url: string): Called {
  const port = Number(new URL(url).port)
  return { send: (sent) => over(port, sent) }
}

/** Opens a session, and gives back the headers that belong to it. */
export async function openSession(face: Called, { revision = handshakes[0] as string, ...sent }: Sent & Opened = {}) {
  const { headers } = await face.send({ ...sent, ...opening(revision) })
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': revision }
  await face.send({ ...sent, ...within(session, { method: 'notifications/initialized' }) })
  return session
}

interface Opened {
  readonly revision?: string
}

/** The message in an answer, whatever it came as. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect to be there
export function messageOf({ text }: Pick<Answer, 'text'>): any {
  return JSON.parse(text)
}

/** Text that a tool returned. */
export function saidIn(answer: Pick<Answer, 'text'>): string {
  return messageOf(answer).result.content[0].text
}

/** Sends by a connection of its own, so that nothing is left of it. */
async function over(port: number, { method = 'POST', path = '/mcp', headers = {}, body }: Sent): Promise<Answer> {
  const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent: false })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  const isStream = response.headers['content-type'] === 'text/event-stream'
  const text = isStream ? '' : (await response.setEncoding('utf8').toArray()).join('')
  response.destroy()
  const own = new globalThis.Headers()
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    own.append(response.rawHeaders[at], response.rawHeaders[at + 1])
  }
  return { status: response.statusCode, headers: own, text }
}
