import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect as dial } from 'node:net'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { server } from '../../server/server.ts'
import { streamChannel } from './stream-channel.ts'

it('serves over a socket, and tells handlers who is at the other end', async () => {
  const own = server({ name: 'who', version: '1' }).tool('who', {}, (_input, ctx) => ctx.caller.principal ?? 'nobody')
  const listening = createServer(
    (socket) => void own.serve(streamChannel(socket, socket, { sender: { principal: 'ann' } })),
  )
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const socket = dial((listening.address() as { port: number }).port, '127.0.0.1')
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const ask = async (id: number, method: string, params: object) => {
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return JSON.parse((await lines.next()).value ?? '')
  }
  const clientInfo = { name: 'c', version: '1' }
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  socket.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const { result } = await ask(2, 'tools/call', { name: 'who', arguments: {} })
  assert.deepEqual(result.content, [{ type: 'text', text: 'ann' }])
  socket.destroy()
  listening.close()
})
