import type { IncomingMessage } from 'node:http'

/** The values of `Host` by which this very listener is addressed on loopback; a page of another site has others. */
export function ownAddresses({ socket }: Pick<IncomingMessage, 'socket'>): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
}
