import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections beyond the limit that get a 503 instead of a reset. */
const mostTold = 100

/** Limits the connections of a server, and closes them. */
export class SocketLimit {
  readonly #open = new Set<Socket>()
  readonly #beyond = new WeakSet<Socket>()

  constructor(http: Server, most: number) {
    http.maxConnections = most + mostTold
    http.on('connection', (socket) => {
      if (this.#open.size >= most) this.#beyond.add(socket)
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** Wraps a listener: connections beyond the limit get a 503. */
  limited(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#beyond.has(request.socket)) return listener(request, response)
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' })
      response.end('Too many connections\n')
    }
  }

  /** Closes each connection once its output was sent. */
  end(): void {
    for (const socket of this.#open) socket.destroySoon()
  }

  /** Closes every connection now. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
