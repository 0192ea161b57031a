import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A balancer that sends every request to the next address, also those of one client: nothing is sticky. */
export async function balance(addresses: () => readonly string[]) {
  let turn = 0
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray())
    const all = addresses()
    turn += 1
    pass(all.map((_, at) => all[(turn + at) % all.length] ?? ''))

    function pass([address, ...others]: readonly string[]): void {
      if (address === undefined) return void outgoing.writeHead(503, { 'retry-after': '1' }).end()
      const { method, headers } = incoming
      const sent = request(address, { method, headers })
      sent.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
        answer.on('error', () => outgoing.destroy()).pipe(outgoing)
      })
      // where nothing listens nothing was sent; any other failure is the client's to judge
      sent.on('error', (error) =>
        'code' in error && error.code === 'ECONNREFUSED' ? pass(others) : outgoing.destroy(),
      )
      outgoing.on('close', () => sent.destroy())
      sent.end(body)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` as const,
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
