import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { tracked } from '../no-leaks.ts'
import { program } from '../processes.ts'

/** A server that shakes hands and dies of the first call. */
const mortal = program(() => {
  const { createInterface } = process.getBuiltinModule('node:readline')
  const serverInfo = { name: 'mortal', version: '1' }
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  createInterface(process.stdin).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    if (method !== 'tools/call') return
    console.error('out of memory')
    process.exit(7)
  })
})

test('every open call rejects at once when the program exits, and says how it ended', async () => {
  const client = tracked(await connect(mortal, { revisions: ['2025-11-25'] }))
  const calls = await Promise.allSettled([client.tools.call('a', {}), client.tools.call('b', {})])
  for (const call of calls) {
    assert.equal(call.status, 'rejected')
    const { code, outcome, message } = (call as PromiseRejectedResult).reason
    assert.deepEqual([code, outcome], ['Closed', 'Unknown'])
    assert.match(message, /exited with code 7.*out of memory/s)
  }
  assert.equal(((await client.whenClosed) as Error & { code?: string }).code, 'Closed')
  await assert.rejects(client.tools.call('c', {}), { code: 'NotSent', outcome: 'NotSent' })
  await client.close()
})

test('a program that cannot be started is one error that says so', async () => {
  await assert.rejects(connect({ command: '/no/such/program' }), { code: 'Spawn', message: /\/no\/such\/program/ })
})
