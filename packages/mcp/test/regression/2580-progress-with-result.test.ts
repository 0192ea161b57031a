import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { everyRevision } from '@trunkline/mcp/testing'
import { rawStdio } from '../raw-stdio.ts'
import { fresh } from './fresh.ts'

test('progress that is told right before the result is heard before the result, in every revision', async () => {
  const hasty = fresh().tool('hurry', {}, async (_input, ctx) => {
    void ctx.progress(1)
    void ctx.progress(2)
    void ctx.progress(3)
    return 'done'
  })
  await everyRevision(hasty, async ({ client }) => {
    const heard: number[] = []
    await client.tools.call('hurry', {}, { onProgress: ({ progress }) => heard.push(progress) })
    assert.deepEqual(heard, [1, 2, 3])
  })
})

test('progress and the result that arrive in one piece of stdio are all heard, in order', async () => {
  const server = rawStdio('client')
  const connecting = connect(server.channel, { revisions: ['2025-11-25'] })
  const { id } = await server.heard.take()
  const serverInfo = { name: 'raw', version: '1' }
  server.say({
    jsonrpc: '2.0',
    id,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
  })
  await using client = await connecting
  await server.heard.take()

  const heard: (number | string)[] = []
  const onProgress = ({ progress }: { progress: number }): unknown => heard.push(progress)
  const call = client.tools.call('any', {}, { onProgress }).then(() => heard.push('result'))
  const request = await server.heard.take()
  const told = [1, 2, 3].map((progress) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: request.params._meta.progressToken, progress },
  }))
  server.say(...told, { jsonrpc: '2.0', id: request.id, result: { content: [] } })
  await call
  assert.deepEqual(heard, [1, 2, 3, 'result'])
})
