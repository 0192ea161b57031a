import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { port, steps } from '../program/setting.ts'
import { answerTo, type RawRequest } from './answers.ts'

// the limit: node:http that parses, answers and writes, and checks nothing
createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') return openStream(outgoing)
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (chunk: string) => {
    body += chunk
  })
  incoming.on('end', () => answer(incoming, JSON.parse(body), outgoing))
}).listen(port, '127.0.0.1')

function answer(incoming: IncomingMessage, request: RawRequest, outgoing: ServerResponse): void {
  if (request.id === undefined) outgoing.writeHead(202).end()
  else if (request.method === 'subscriptions/listen') acknowledge(request, outgoing)
  else if (request.params?.name === 'steps') report(request, outgoing)
  else reply(incoming, request, outgoing)
}

function reply(incoming: IncomingMessage, request: RawRequest, outgoing: ServerResponse): void {
  const text = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) })
  if (request.method === 'initialize') outgoing.setHeader('mcp-session-id', incoming.socket.remotePort ?? 0)
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  outgoing.end(text)
}

function openStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.flushHeaders()
}

function acknowledge(request: RawRequest, outgoing: ServerResponse): void {
  openStream(outgoing)
  const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': request.id }, notifications: {} }
  outgoing.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }))
}

function report(request: RawRequest, outgoing: ServerResponse): void {
  openStream(outgoing)
  for (const progress of steps) {
    const params = { progressToken: request.id, progress, total: steps.length }
    outgoing.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }))
  }
  outgoing.end(event({ jsonrpc: '2.0', id: request.id, result: answerTo(request) }))
}

function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}
