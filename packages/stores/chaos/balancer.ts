/** A balancer that sends every request to another process than the last one. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process that requests are sent to. */
export interface Target {
  /** Address at which it serves; undefined while it does not. */
  readonly url: string | undefined
}

/** A running balancer. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
}

/** The header of a response that names the process. */
export const processHeader = 'x-process'

/** Starts a balancer; a process that does not listen is passed over, any other failure breaks the request. */
export async function startBalancer(places: readonly Target[]): Promise<Balancer> {
  let last = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      last = (last + 1) % places.length
      const order = places.map((_, at) => places[(last + at) % places.length]?.url).filter((url) => url !== undefined)
      pass({ incoming, outgoing, body: Buffer.concat(chunks) }, order)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Passed {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly body: Buffer
}

function pass(passed: Passed, [url, ...others]: readonly string[]): void {
  const { incoming, outgoing, body } = passed
  if (url === undefined) return void outgoing.writeHead(503, { 'retry-after': '1' }).end()
  const sent = request(new URL(incoming.url ?? '', url), {
    method: incoming.method,
    headers: incoming.headers,
    agent: false,
  })
  sent.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [processHeader]: url })
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
    answer.on('close', () => !answer.complete && outgoing.destroy())
  })
  sent.on('error', (error) => {
    // nothing listens there, so that nothing was sent
    if ('code' in error && error.code === 'ECONNREFUSED') pass(passed, others)
    else outgoing.destroy()
  })
  outgoing.on('close', () => sent.destroy())
  sent.end(body)
}
