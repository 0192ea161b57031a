import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, retryable } from '@trunkline/mcp/contract'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`retry hints [${revision}]: a hint makes the client wait and try again, where a repeat is safe`, async () => {
    let calls = 0
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('flaky', {}, () => {
      calls += 1
      if (calls % 3 > 0) throw retryable('The upstream is busy', { afterMs: 1 })
      return 'at last'
    })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    assert.deepEqual((await mcp.tools.call('flaky', {})).retry, { class: 'rateLimited', afterMs: 1 })
    assert.equal(calls, 1, 'nothing says that a repeat is safe')
    calls = 0
    const { content } = await mcp.tools.call('flaky', {}, { idempotencyKey: true })
    assert.deepEqual([content, calls], [[{ type: 'text', text: 'at last' }], 3])
  })

  test(`retry hints [${revision}]: what is permanent, too late or too often is not repeated`, async () => {
    let calls = 0
    const hints = { permanent: { class: 'permanent' }, late: { afterMs: 60_000 }, often: { afterMs: 1 } } as const
    const shop = server({ name: 'shop', version: '1.0.0', extensions })
    for (const [name, hint] of Object.entries(hints))
      shop.tool(name, {}, () => {
        calls += 1
        throw retryable('No', hint)
      })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const counts: { [name: string]: number } = {}
    for (const name of Object.keys(hints)) {
      calls = 0
      await mcp.tools.call(name as never, {} as never, { idempotencyKey: true, attempts: 2 })
      counts[name] = calls
    }
    assert.deepEqual(counts, { permanent: 1, late: 1, often: 2 })
  })
}
