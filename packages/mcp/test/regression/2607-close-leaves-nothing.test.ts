import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join, revisions } from '@trunkline/mcp/testing'
import { gate } from '../gate.ts'
import { soon } from '../soon.ts'
import { fresh } from './fresh.ts'

for (const revision of revisions) {
  for (const side of ['client', 'server'] as const) {
    test(`when the ${side} closes, calls reject, watches end, and neither side remembers anything, ${revision}`, async () => {
      const started = gate()
      const aborted = gate()
      const busy = fresh()
        .resource('test:r', {}, () => 'r')
        .tool('hang', {}, (_input, { signal }) => {
          signal.addEventListener('abort', () => aborted.open())
          started.open()
          return new Promise(() => {})
        })
      const { client } = await join(busy, { revisions: [revision] })
      await client.watch({ tools: true, uris: ['test:r'] }, () => {})
      const call = assert.rejects(client.tools.call('hang', {}), { code: 'Closed', outcome: 'Unknown' })
      await soon(started.promise, 'the handler')
      assert.ok(busy.live.connections === 1 && busy.live.watchers > 0)

      await (side === 'client' ? client.close() : busy.close())
      await call
      await soon(aborted.promise, 'the signal of the handler')
      await soon(client.whenClosed, 'the client to be closed')
      assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
      assert.deepEqual(busy.live, { connections: 0, watchers: 0 })
      await assert.rejects(client.tools.call('hang', {}), { code: 'NotSent', outcome: 'NotSent' })
    })
  }
}
