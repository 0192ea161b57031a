/** One server behind three doors: as it is, behind a gate that never decides, and as a handler of web-standard requests. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../../fixtures/quiet.ts'

const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const

const definition = server({ name: 'tiny', ...quiet })
  .tool('length', { input }, ({ text }) => `${text.length}`)
  .tool('memory', {}, () => {
    for (let round = 0; round < 3; round++) globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return `${heapUsed + external}`
  })
  .tool('doors', {}, () => JSON.stringify({ gated: portOf(gated.url), fetching }))

const own = await serveHttp(definition)
const gated = await serveHttp(definition, {
  auth: { documents: new Map(), authenticate: () => new Promise(() => {}) },
})
const fetching = await fetchOverSocket()
console.log(own.url)

function portOf(url: string): number {
  return Number(new URL(url).port)
}

async function fetchOverSocket(): Promise<number> {
  const handler = toFetch(definition)
  const http = createServer(async (incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming
    const init = { method, headers: headers as Record<string, string>, body: Readable.toWeb(incoming), duplex: 'half' }
    const answer = await handler(new Request(`http://localhost${url}`, init as RequestInit))
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-length': Buffer.byteLength(text) }).end(text)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return (http.address() as AddressInfo).port
}
