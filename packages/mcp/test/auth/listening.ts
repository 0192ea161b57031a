/** HTTP servers on this machine that remember what arrives. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived. */
export interface Seen {
  readonly at: 'server' | 'issuer'
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (seen: Seen, response: ServerResponse) => void | Promise<void>

/** Sends a document. */
export function json(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}

/** Listens on this machine and remembers what arrives. */
export function listening(at: Seen['at'], seen: Seen[], answer: Answer): Promise<Hosted> {
  return hosted(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const { method = '', headers } = request
    const arrived = { at, method, url: new URL(request.url ?? '', `http://${headers.host}`), headers, body }
    seen.push(arrived)
    await answer(arrived, response)
  })
}

export interface Hosted {
  readonly origin: string
  close(): Promise<void>
}

/** Listens on this machine. */
export async function hosted(listener: RequestListener): Promise<Hosted> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
