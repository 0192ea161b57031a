import type { Server } from 'node:http'

/**
 * Ends unused connections, but none on which a request has arrived: a process that was held up hears of its
 * timers before it hears of what was sent to it, and Node would answer that request with a reset.
 */
export function endIdleSockets(http: Server): void {
  http.on('timeout', (socket) => {
    const { bytesRead } = socket
    // after timers and before this, Node reads from the sockets
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  })
}
