import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { atTime } from '../../../rpc/at-time.ts'
import type { Channel, Receiver, Sender } from '../../../rpc/channel.ts'
import { Malformed } from '../../../wire/classify.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { readMessages } from '../../../wire/read.ts'
import { writeMessage } from '../../../wire/write.ts'
import type { AuthenticatedConnection } from '../server/authenticate.ts'
import type { Endpoint } from '../server/endpoint.ts'
import type { HttpServerLimits } from '../server/limits.ts'
import { HttpRefusal } from '../server/refusals.ts'
import { mostWaitingBytes } from '../server/request-reply.ts'
import { NodeRequest } from './request.ts'

/** Where WebSocket connections are taken, and how many. */
export interface WebSocketSettings extends Pick<HttpServerLimits, 'maxMessageBytes' | 'maxWebSockets'> {
  readonly path: string
}

const protocol = 'mcp'
const farewellMs = 1_000

/** Takes WebSocket connections at the path of an endpoint, behind the same guard as everything else. */
export async function acceptWebSockets(
  http: Server,
  endpoint: Endpoint,
  { path, maxMessageBytes, maxWebSockets }: WebSocketSettings,
): Promise<() => Promise<unknown>> {
  const { WebSocketServer } = await loadWs()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  })
  const acceptUpgrade = async (request: NodeRequest): Promise<AuthenticatedConnection> => {
    if (request.path !== path) throw new HttpRefusal(404, 'Not found')
    const connection = await endpoint.authenticateConnection(request)
    if (sockets.clients.size >= maxWebSockets)
      throw new HttpRefusal(503, 'Too many connections', { 'retry-after': '1' })
    return connection
  }
  http.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = (): unknown => socket.destroy()
    socket.on('error', gone)
    acceptUpgrade(new NodeRequest(message)).then(
      (connection) => {
        socket.off('error', gone)
        sockets.handleUpgrade(message, socket, head, (webSocket) =>
          endpoint.serveChannel(new ServerWebSocket(webSocket, connection)),
        )
      },
      (error: unknown) =>
        rejectUpgrade(socket, error instanceof HttpRefusal ? error : new HttpRefusal(500, 'Internal error')),
    )
  })
  return () => Promise.all([...sockets.clients].map((socket) => leave(socket, 1001, 'shutting down')))
}

function rejectUpgrade(socket: Duplex, { status, message, headers }: HttpRefusal): void {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' }).map((entry) =>
    entry.join(': '),
  )
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${lines.join('\r\n')}\r\n\r\n`)
}

async function loadWs(): Promise<typeof import('ws')> {
  try {
    return await import('ws')
  } catch (cause) {
    throw new McpError('Misuse', 'Cannot serve WebSocket: the package "ws" is missing; install it', { cause })
  }
}

/** Says farewell; a peer that does not answer it is left all the same. */
async function leave(socket: WebSocket, code: number, reason?: string): Promise<void> {
  if (socket.readyState === socket.CLOSED) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.terminate(), farewellMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.close(code, reason)
  })
}

/** One message per frame, each way. */
class ServerWebSocket implements Channel {
  readonly #socket: WebSocket
  readonly #sender: Sender
  #sent: Promise<void> | undefined

  constructor(socket: WebSocket, { sender, expiresAt }: AuthenticatedConnection) {
    this.#socket = socket
    this.#sender = sender
    if (expiresAt !== undefined) this.#endAt(expiresAt)
  }

  open(receiver: Receiver): void {
    this.#socket.on('message', (data, isBinary) => this.#receive(receiver, isBinary ? undefined : data.toString()))
    this.#socket.on('error', () => this.#socket.terminate())
    this.#socket.on('close', () => receiver.closed())
  }

  send(message: Message | readonly Message[]): Promise<void> | undefined {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) {
      return Promise.reject(new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' }))
    }
    // nobody relies on notices: it is questions and answers that must arrive
    if (this.#isFull && 'method' in message && !('id' in message)) return this.#sent
    const text = writeMessage(message)
    this.#sent = new Promise((resolve) => socket.send(text, () => resolve(this.#listen())))
    this.#listen()
    return this.#sent
  }

  close(): Promise<void> {
    return leave(this.#socket, 1000)
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount > mostWaitingBytes
  }

  // who does not read what was answered is not asked for more
  #listen(): void {
    if (this.#isFull) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }

  /** Nobody is asked again who is calling, so what was found out holds for as long as it said. */
  #endAt(time: number): void {
    const callOff = atTime(time, () => this.#socket.close(1008, 'authorization has expired'))
    this.#socket.once('close', callOff)
  }

  #receive(receiver: Receiver, text: string | undefined): void {
    if (text === undefined) return this.#socket.close(1003, 'text only')
    const reading = readMessages(text)
    for (const entry of Array.isArray(reading) ? reading : [reading]) {
      if (entry instanceof RpcError) receiver.malformed(entry, entry instanceof Malformed ? entry.id : undefined)
    }
    if (Array.isArray(reading))
      receiver.message(reading.filter((entry) => !(entry instanceof RpcError)) as readonly Message[], this.#sender)
    else if (!(reading instanceof RpcError)) receiver.message(reading as Message, this.#sender)
  }
}
