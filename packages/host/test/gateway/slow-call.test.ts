import assert from 'node:assert/strict'
import { it } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { deferred } from '../../src/relay/deferred.ts'
import { runningHost, textOf } from './running-host.ts'

it('a call may take longer than a start, however quiet it is', async () => {
  const released = deferred<void>()
  const slow = server({ name: 'slow', version: '1.0.0' }).tool('read_slowly', {}, async () => {
    await released.promise
    return 'done'
  })
  const startMs = 1_000
  await using serving = await serveHttp(slow, { port: 0 })
  const spec = { name: 'slow', launch: { kind: 'remote' as const, url: serving.url, headers: {} }, startMs }
  await using running = await runningHost({ servers: [spec], mode: 'observe' })
  await using mcp = await running.dial()
  const calling = mcp.tools.call('slow__read_slowly', {})
  setTimeout(() => released.resolve(), 2 * startMs)
  assert.equal(textOf(await calling), 'done')
})
