import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RpcError, UrlElicitationRequired } from '@trunkline/mcp'
import { join } from '@trunkline/mcp/testing'
import { gate } from '../gate.ts'
import { fresh } from './fresh.ts'

const elicitations = [{ mode: 'url', url: 'https://example.com/pay', message: 'Pay', elicitationId: 'p1' }]

/** A tool that wants a page visited, of a server that never says that it was. */
const silent = () =>
  fresh().tool('pay', {}, () => {
    throw new RpcError(UrlElicitationRequired, 'Pay first', { elicitations })
  })

test('a visit that is never reported as complete ends with the refusal, once the time of the call is up', async (t) => {
  const visited = gate()
  const url = () => {
    setImmediate(visited.open)
    return { action: 'accept' } as const
  }
  await using both = await join(silent(), { revisions: ['2025-11-25'], elicitation: { url } })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const call = assert.rejects(both.client.tools.call('pay', {}, { maxTotalMs: 5_000 }), {
    code: UrlElicitationRequired,
  })
  await visited.promise
  t.mock.timers.tick(5_000)
  await call
})

test('a visit ends with the connection', async () => {
  const visited = gate()
  const url = () => {
    setImmediate(visited.open)
    return { action: 'accept' } as const
  }
  const both = await join(silent(), { revisions: ['2025-11-25'], elicitation: { url } })
  const call = assert.rejects(both.client.tools.call('pay', {}), { code: 'Closed' })
  await visited.promise
  await both.client.close()
  await call
})
