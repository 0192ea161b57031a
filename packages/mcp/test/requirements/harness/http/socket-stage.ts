import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../../../src/index.ts'
import { websocketChannel } from '../../../../src/transports/http/client/websocket-channel.ts'
import { puppet, type Scene } from '../../../fixtures/puppet.ts'
import { endingWith } from '../ending.ts'

/** Plays a scene over WebSocket. */
export async function stageSocket(scene: Scene): Promise<Channel> {
  const react = puppet(scene)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) =>
    socket.on('message', (text) => {
      for (const saying of react(JSON.parse(String(text)))) {
        if (saying === 'exit') socket.terminate()
        else socket.send(JSON.stringify(saying))
      }
    }),
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return endingWith(websocketChannel(`ws://127.0.0.1:${port}`), close)
}
