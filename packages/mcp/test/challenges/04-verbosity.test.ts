import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`verbosity [${revision}]: a caller gets the members and the bytes that it wants`, async () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions })
      .tool('report', { output: z.object({ total: z.number(), rows: z.array(z.string()) }) }, () => ({
        total: 2,
        rows: ['x'.repeat(1_000), 'y'],
      }))
      .tool('detail', {}, (_, ctx) => ctx.want)
      .tool('long', {}, () => 'line\n'.repeat(10_000))
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    await mcp.tools.list()
    const brief = await mcp.tools.call('report', {}, { want: { fields: ['/total', '/nothing'] } })
    if (revision !== '2024-11-05') assert.deepEqual(brief.structuredContent, { total: 2 })
    assert.deepEqual(brief.leftOut?.missing, ['/nothing'])
    const long = await mcp.tools.call('long', {}, { want: { maxBytes: 500 } })
    assert.ok(Buffer.byteLength(JSON.stringify(long.content)) <= 500)
    assert.equal(long.leftOut?.isCut, true)
    const { content } = await mcp.tools.call('detail', {}, { want: { detail: 'full' } })
    assert.deepEqual(content, [{ type: 'text', text: 'full' }])
  })
}
