import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections beyond the limit that are still accepted, to be told that there are too many. */
const mostTold = 100

/** The connections of a server: how many there may be, and how they end. */
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

  /** Tells whoever came when there were too many to come back, and hands everybody else on. */
  limited(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#beyond.has(request.socket)) return listener(request, response)
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' })
      response.end('Too many connections\n')
    }
  }

  /** Ends each connection as soon as all that was written to it has left. */
  end(): void {
    for (const socket of this.#open) socket.destroySoon()
  }

  /** Ends every connection now. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
