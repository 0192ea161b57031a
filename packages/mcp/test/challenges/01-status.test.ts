import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`status [${revision}]: a result says how the tool ended`, async () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('grep', {}, (_, ctx) => {
      ctx.exit(1)
      return 'no match'
    })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    assert.deepEqual((await mcp.tools.call('grep', {})).status, { code: 1, class: 'failed' })
  })
}
