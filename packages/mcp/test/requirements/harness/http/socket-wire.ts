import { once } from 'node:events'
import type { Host } from './host.ts'
import type { OpenWire } from './open-wire.ts'

/** Sends each text as a frame of its own. */
export function socketWire({ url }: Host): OpenWire {
  const socket = new WebSocket(url, 'mcp')
  const whenOpen = once(socket, 'open')
  const whenClosed = once(socket, 'close')
  return {
    listen: (listener) => socket.addEventListener('message', ({ data }) => listener(data)),
    send: (text) => void whenOpen.then(() => socket.send(text)),
    async close() {
      await whenOpen
      socket.close()
      await whenClosed
    },
  }
}
