import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import '../no-leaks.ts'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { groupGone, noProc, program } from '../processes.ts'
import { rawStdio } from '../raw-stdio.ts'

test('a client that shares no revision with the server says so and lets go of the channel', async () => {
  const server = rawStdio('client')
  const connecting = connect(server.channel, { revisions: ['2025-11-25'] })
  const { id } = await server.heard.take()
  const serverInfo = { name: 'old', version: '1' }
  server.say({ jsonrpc: '2.0', id, result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo } })
  await assert.rejects(connecting, { code: 'Unsupported', message: /1999-01-01/ })
  await server.channel.finished
  assert.equal(server.heard.size, 0)
})

test('a program that shares no revision with the client is ended', { skip: noProc }, async () => {
  const channel = spawnChannel(
    program(() => {
      process.stdin.on('data', (chunk) => {
        const { id } = JSON.parse(String(chunk))
        const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'old', version: '1' } }
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    }),
  )
  await assert.rejects(connect(channel, { revisions: ['2025-11-25'] }), { code: 'Unsupported' })
  await channel.exited
  await groupGone(channel.pid as number)
})
