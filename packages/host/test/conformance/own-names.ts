/** Shows the aggregate under the names that its only server has, so that callers who know those can judge it. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fields } from '@trunkline/mcp'
import { aggregateName } from '../../src/catalogue/names.ts'

/** Listens in front of an aggregate of this one server; returns the address. */
export async function underOwnNames(aggregate: string, server: string, port: number): Promise<string> {
  const target = new URL(aggregate)
  const front = createServer((incoming, outgoing) => void pass(incoming, outgoing, { target, server, own }))
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
  const own = (front.address() as AddressInfo).port
  return `http://127.0.0.1:${own}/mcp`
}

interface Between {
  readonly target: URL
  readonly server: string
  readonly own: number
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, between: Between): Promise<void> {
  const { target, server } = between
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('utf8')
  const body = named(text, server)
  const headers = headersOf(incoming, between, body)
  const { method = 'GET', url: path } = incoming
  const sent = request({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
    const { 'content-length': _length, ...own } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, own)
    outgoing.flushHeaders()
    // names stand in lists alone, and a list is one piece of text
    answer.setEncoding('utf8').on('data', (piece: string) => outgoing.write(piece.replaceAll(`"${server}__`, '"')))
    answer.on('end', () => outgoing.end())
    answer.on('error', () => outgoing.destroy())
  })
  sent.on('error', () => outgoing.destroy())
  outgoing.on('close', () => sent.destroy())
  sent.end(body)
}

function headersOf({ headers }: IncomingMessage, { target, server, own }: Between, body: string) {
  // clients that address this port mean the other one
  const there = (value: string | undefined) => value?.replace(`:${own}`, `:${target.port}`)
  const { host, origin, 'mcp-name': name, 'content-length': _length, ...rest } = headers
  const hasName = ['tools/call', 'prompts/get'].includes(String(headers['mcp-method']))
  return {
    ...rest,
    host: there(host),
    ...(origin !== undefined && { origin: there(origin) }),
    ...(name !== undefined && { 'mcp-name': hasName ? aggregateName(server, String(name)) : name }),
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
  }
}

/** The body with the names of the aggregate; one that cannot be read passes as it is, for the gateway to judge. */
function named(text: string, server: string): string {
  try {
    const message = JSON.parse(text) as { method?: string; params?: Fields }
    const { method, params } = message
    if (!params) return text
    if (method === 'tools/call' || method === 'prompts/get')
      return JSON.stringify({ ...message, params: { ...params, name: aggregateName(server, String(params.name)) } })
    const ref = params.ref as Fields | undefined
    if (ref?.type !== 'ref/prompt') return text
    return JSON.stringify({
      ...message,
      params: { ...params, ref: { ...ref, name: aggregateName(server, String(ref.name)) } },
    })
  } catch {
    return text
  }
}
