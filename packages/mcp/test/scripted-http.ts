/** HTTP servers on the loopback that answer as a test tells them to. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fields } from '../src/wire/messages.ts'
import { soon } from './soon.ts'

/** One request as it arrived. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The posted message, or an empty object. */
  readonly body: Fields & { readonly id?: number; readonly method?: string; readonly params?: Fields }
  /** Resolves when the client is gone or the answer is out. */
  readonly whenGone: Promise<void>
}

export type Answering = (seen: Seen, response: ServerResponse) => void

export interface Scripted extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Resolves with the first request, now or later, for which something holds. */
  request(holds: (seen: Seen) => boolean): Promise<Seen>
  /** Number of open connections. */
  connections(): Promise<number>
}

/** Starts a server; `answer` is called with each request when its body is complete. */
export async function scripted(answer: Answering): Promise<Scripted> {
  const seen: Seen[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const whenGone = new Promise<void>((resolve) => response.once('close', resolve))
    const text = (await request.setEncoding('utf8').toArray()).join('')
    const { method = '', url: path = '', headers } = request
    const arrived = { method, path, headers, body: text === '' ? {} : JSON.parse(text), whenGone }
    seen.push(arrived)
    arrivals.emit('request')
    answer(arrived, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async request(holds) {
      for (;;) {
        const found = seen.find(holds)
        if (found) return found
        await soon(once(arrivals, 'request'), `a request; ${seen.length} came, and none is the wanted one`)
      }
    },
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** Answers with plain text, or nothing. */
export function plain(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  response.writeHead(status, text === '' ? {} : { 'content-type': type }).end(text)
}

/** Starts a stream of events, with those given. */
export function events(response: ServerResponse, ...given: readonly string[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const event of given) response.write(event)
  return response
}

/** An event that carries a message, with an id if there is one. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${message === undefined ? '' : JSON.stringify(message)}\n\n`
}

/** A result for what was asked. */
export function result({ body }: Seen, value: Fields): Fields {
  return { jsonrpc: '2.0', id: body.id, result: value }
}

export function error({ body }: Seen, code: number, data?: Fields): Fields {
  return { jsonrpc: '2.0', id: body.id, error: { code, message: `Error ${code}`, ...(data && { data }) } }
}
