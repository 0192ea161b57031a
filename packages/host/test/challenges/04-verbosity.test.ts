import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { keeping, type TermsWorld, termsWorld } from './terms-world.ts'

const bytesOf = ({ content, structuredContent }: { readonly content: unknown; readonly structuredContent?: unknown }) =>
  Buffer.byteLength(JSON.stringify(content)) +
  (structuredContent === undefined ? 0 : Buffer.byteLength(JSON.stringify(structuredContent)))

describe('how much a caller wants, of servers that know nothing of it', () => {
  let world: TermsWorld
  let mcp: Awaited<ReturnType<typeof keeping>>
  before(async () => {
    world = await termsWorld({ maxResultBytes: () => 64 * 1024 })
    mcp = await keeping(world.host)
  })
  after(async () => {
    await mcp?.close()
    await world?.[Symbol.asyncDispose]()
  })

  it('only the wanted members of the structured content arrive, also of a result that is too large to pass', async () => {
    const want = { fields: ['/total', '/rows/1', '/nothing'] }
    for (const rows of [3, 5_000]) {
      const result = await mcp.tools.call('plain__get_report', { rows }, { want })
      assert.deepEqual(result.structuredContent, { total: rows, rows: { 1: `row 1 ${'ä'.repeat(50)}` } })
      assert.deepEqual(result.leftOut?.missing, ['/nothing'])
      assert.ok((result.leftOut?.bytes ?? 0) > rows * 100)
    }
  })

  it('no more bytes arrive than are wanted, whatever the server sends', async () => {
    for (const maxBytes of [120, 2_000, 20_000]) {
      const lines = await mcp.tools.call('plain__get_lines', { rows: 3_000 }, { want: { maxBytes } })
      assert.ok(bytesOf(lines) <= maxBytes, `${bytesOf(lines)} of ${maxBytes}`)
      assert.equal(lines.leftOut?.isCut, true)
      const report = await mcp.tools.call('plain__get_report', { rows: 300 }, { want: { maxBytes } })
      assert.ok(bytesOf(report) <= maxBytes)
    }
  })

  it('a server that keeps the contract gets the wanted amount of detail', async () => {
    const { content } = await mcp.tools.call('kept__get_want', {}, { want: { detail: 'brief' } })
    assert.deepEqual(content, [{ type: 'text', text: 'brief' }])
  })

  it('a caller that wants nothing gets everything, without a word about it', async () => {
    const result = await mcp.tools.call('plain__get_report', { rows: 3 })
    assert.equal((result.structuredContent as { rows: unknown[] }).rows.length, 3)
    assert.equal(result._meta?.['dev.trunkline/contract'], undefined)
  })

  it('a bad value is refused by its name', async () => {
    const asked = mcp.tools.call('plain__get_report', { rows: 3 }, { want: { fields: ['total'] } })
    await assert.rejects(asked, /want\.fields\[0\] must be a JSON Pointer/)
  })
})
