import type { Duplex } from 'node:stream'

/** Connections without a token at the same time; beyond it the oldest is closed. A client shows its token within moments. */
const maxUnauthenticated = 256

const authenticated = new WeakSet<object>()

/** Notes that a valid token was shown on a connection. */
export function noteAuthenticated(socket: object): void {
  authenticated.add(socket)
}

/**
 * The connections on which no token was shown yet: the one budget of all that is not authenticated, since each of them
 * carries one request at a time, with a body of a kilobyte at most.
 */
export class UnauthenticatedConnections {
  readonly #open = new Set<Duplex>()

  add(socket: Duplex): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    for (const oldest of this.#open) {
      if (this.#open.size <= maxUnauthenticated) return
      this.#open.delete(oldest)
      if (!authenticated.has(oldest)) oldest.destroy()
    }
  }
}
