import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { port, steps } from '../program/setting.ts'
import { answerTo, type RawRequest } from './answers.ts'

interface Arrived {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** A request whose answer is one piece of JSON. */
interface Answered extends Arrived {
  readonly request: RawRequest
  readonly text: string
}

const arrived: Arrived[] = []

// the limit: node:http that parses, answers and writes, and checks nothing; what one turn of the event loop brought is
// served together, each body by one read, and written together
createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') openStream(outgoing)
  else if (arrived.push({ incoming, outgoing }) === 1) setImmediate(serveTurn)
}).listen(port, '127.0.0.1')

function serveTurn(): void {
  const answered: Answered[] = []
  for (const one of arrived.splice(0)) {
    if (one.incoming.complete) serve(one, one.incoming.read(), answered)
    else serveLater(one)
  }
  for (const one of answered) write(one)
}

/** A body that takes more than one turn to arrive. */
function serveLater(one: Arrived): void {
  const chunks: Buffer[] = []
  one.incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  one.incoming.on('end', () => {
    const answered: Answered[] = []
    serve(one, Buffer.concat(chunks), answered)
    for (const late of answered) write(late)
  })
}

function serve({ incoming, outgoing }: Arrived, body: Buffer, answered: Answered[]): void {
  const request: RawRequest = JSON.parse(body.toString())
  if (request.id === undefined) outgoing.writeHead(202).end()
  else if (request.method === 'subscriptions/listen') acknowledge(request, outgoing)
  else if (request.params?.name === 'steps') report(request, outgoing)
  else {
    const text = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answerTo(request) })
    answered.push({ incoming, outgoing, request, text })
  }
}

function write({ incoming, outgoing, request, text }: Answered): void {
  if (request.method === 'initialize') outgoing.setHeader('mcp-session-id', incoming.socket.remotePort ?? 0)
  const length = Buffer.byteLength(text)
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  // of plain ASCII both encodings are the same bytes, and one of them is merely copied
  outgoing.end(text, length === text.length ? 'latin1' : 'utf8')
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
