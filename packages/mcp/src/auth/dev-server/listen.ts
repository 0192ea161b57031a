import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../network/node-http.ts'
import { McpError } from '../../wire/errors.ts'
import { textResponse } from './responses.ts'

type Handle = (request: Request) => Promise<Response>

/** An HTTP server on a loopback address. */
export interface Listener {
  readonly origin: string
  close(): Promise<void>
}

const mostBytes = 65_536

/** Listens for HTTP on a loopback port; zero takes a free one. */
export async function listenLocally(port: number, handleAt: (origin: string) => Handle): Promise<Listener> {
  const server = createServer({ requestTimeout: 10_000 })
  await listening(server, port)
  const { port: taken } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${taken}`
  const handle = handleAt(origin)
  server.on('request', (message, response) => {
    answer(message, origin, handle)
      .catch(() => textResponse(500, 'Internal error'))
      .then((answered) => send(answered, response))
      .catch(() => response.destroy())
  })
  return { origin, close: () => closed(server) }
}

async function answer(message: IncomingMessage, origin: string, handle: Handle): Promise<Response> {
  const { method = '', url = '', headers } = message
  // a request for another host name is DNS rebinding
  if (headers.host !== new URL(origin).host) return textResponse(403, 'Forbidden')
  if (!URL.canParse(url, origin)) return textResponse(400, 'Bad request')
  const body = await bodyOf(message)
  if (body === undefined) return textResponse(413, 'Content too large', { connection: 'close' })
  const { authorization } = headers
  const init = { method, ...(authorization !== undefined && { headers: { authorization } }) }
  return handle(new Request(new URL(url, origin), body === '' ? init : { ...init, body }))
}

async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(await answered.text())
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new McpError('Misuse', `Cannot listen on port ${port}`, { cause })))
    server.listen(port, '127.0.0.1', resolve)
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
