import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, image, server, text } from '@trunkline/mcp'
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

test('verbosity: one tool at three levels, and no budget is exceeded, whatever the result is', async () => {
  const words = { brief: 'ok', normal: 'ok, 3 files', full: 'ok, 3 files: a, b, c' } as const
  const shop = server({ name: 'shop', version: '1.0.0', extensions })
    .tool('detail', {}, (_, ctx) => words[ctx.want])
    .tool('text', {}, () => 'grün "🌲"\n\u0001'.repeat(300))
    .tool('rows', { output: z.object({ rows: z.array(z.string()) }) }, () => ({ rows: Array(50).fill('ü\n') }))
    .tool('mixed', {}, () => [text('a'.repeat(500)), image(new Uint8Array(500), 'image/png'), text('b'.repeat(500))])
  await using mcp = await connect(shop, { extensions: [contract()] })
  for (const detail of ['brief', 'normal', 'full'] as const) {
    const { content } = await mcp.tools.call('detail', {}, { want: { detail } })
    assert.deepEqual(content, [{ type: 'text', text: words[detail] }])
  }
  await mcp.tools.list().all()
  for (const tool of ['text', 'rows', 'mixed'] as const)
    for (const maxBytes of [2, 3, 30, 80, 81, 150, 299, 700, 1_500, 4_000, 100_000]) {
      const { content, structuredContent, leftOut } = await mcp.tools.call(tool, {}, { want: { maxBytes } })
      const bytes = Buffer.byteLength(JSON.stringify(content) + (JSON.stringify(structuredContent) ?? ''))
      assert.ok(bytes <= maxBytes, `${tool} in ${maxBytes}: ${bytes}`)
      assert.equal(leftOut?.isCut ?? false, (leftOut?.bytes ?? 0) > maxBytes)
    }
})
