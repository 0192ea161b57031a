import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { tracked } from '../no-leaks.ts'
import { rawStdio } from '../raw-stdio.ts'

test('an answer that comes after the call was given up is nothing to complain about', async () => {
  const server = rawStdio('client')
  const complaints: string[] = []
  const connecting = connect(server.channel, { revisions: ['2025-11-25'], onWarning: (text) => complaints.push(text) })
  const hello = await server.heard.take()
  const serverInfo = { name: 'raw', version: '1' }
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  server.say({ jsonrpc: '2.0', id: hello.id, result })
  await using client = tracked(await connecting)
  await server.heard.take()

  const stop = new AbortController()
  const call = client.tools.call('slow', {}, { signal: stop.signal })
  const request = await server.heard.take()
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  const cancelled = await server.heard.take()
  assert.deepEqual([cancelled.method, cancelled.params.requestId], ['notifications/cancelled', request.id])

  server.say({ jsonrpc: '2.0', id: request.id, result: { content: [] } })
  server.say({ jsonrpc: '2.0', id: 'ping', method: 'ping' })
  assert.equal((await server.heard.take()).id, 'ping')
  assert.deepEqual(complaints, [])

  server.say({ jsonrpc: '2.0', id: 'nobody asked', result: {} })
  server.say({ jsonrpc: '2.0', id: 'ping', method: 'ping' })
  await server.heard.take()
  assert.equal(complaints.length, 1)
})
