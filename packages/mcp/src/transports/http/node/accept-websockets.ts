import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServerOptions, WebSocket } from 'ws'
import { McpError } from '../../../wire/errors.ts'
import type { AuthenticatedConnection } from '../server/authenticate.ts'
import type { Endpoint } from '../server/endpoint.ts'
import type { HttpServerLimits } from '../server/http-limits.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { HttpRefusal } from '../server/refusals.ts'
import { NodeRequest } from './request.ts'
import { ServerWebSocket } from './server-websocket.ts'

/** Options of accepting WebSockets. */
export interface WebSocketSettings extends Pick<HttpServerLimits, 'maxMessageBytes' | 'maxWebSockets' | 'maxPongMs'> {
  readonly path: string
  /** Schedules the pings. */
  readonly keepAlive: KeepAlive
}

const protocol = 'mcp'

/** Accepts WebSockets at the path of an endpoint, behind the same guard as requests. */
export async function acceptWebSockets(
  http: Server,
  endpoint: Endpoint,
  { path, keepAlive, maxMessageBytes, maxWebSockets, maxPongMs }: WebSocketSettings,
): Promise<() => Promise<unknown>> {
  const { WebSocketServer } = await loadWs()
  const sockets = new WebSocketServer(framing(maxMessageBytes))
  const open = new Set<ServerWebSocket>()
  const serve = (webSocket: WebSocket, connection: AuthenticatedConnection): void => {
    const channel = new ServerWebSocket(webSocket, connection, endpoint.readers)
    open.add(channel)
    const letDie = keepAlive.add(() => channel.ping(maxPongMs))
    webSocket.once('close', () => {
      open.delete(channel)
      letDie()
    })
    endpoint.serveChannel(channel)
  }
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
        sockets.handleUpgrade(message, socket, head, (webSocket) => serve(webSocket, connection))
      },
      (error: unknown) =>
        rejectUpgrade(socket, error instanceof HttpRefusal ? error : new HttpRefusal(500, 'Internal error')),
    )
  })
  return () => Promise.all([...open].map((channel) => channel.close(1001, 'shutting down')))
}

/** Options of `ws` that limit the memory of a message in many small fragments. */
function framing(maxMessageBytes: number): ServerOptions {
  const maxPieces = Math.min(Math.ceil(maxMessageBytes / bytesPerPiece) + leastPieces, mostPieces)
  const limits = { maxPayload: maxMessageBytes, maxBufferedChunks: maxPieces, maxFragments: maxPieces }
  return {
    noServer: true,
    ...limits,
    // a pong for every ping would fill the memory when the peer does not read
    autoPong: false,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  }
}

// the overhead of a fragment
const bytesPerPiece = 256
const leastPieces = 1_024
const mostPieces = 2 ** 31 - 1

function rejectUpgrade(socket: Duplex, { status, message, headers }: HttpRefusal): void {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' }).map((entry) =>
    entry.join(': '),
  )
  // a client that does not end its side would stay connected
  socket.resume().once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${lines.join('\r\n')}\r\n\r\n`)
}

async function loadWs(): Promise<typeof import('ws')> {
  try {
    return await import('ws')
  } catch (cause) {
    throw new McpError('Misuse', 'Cannot serve WebSocket: the package "ws" is missing; install it', { cause })
  }
}
