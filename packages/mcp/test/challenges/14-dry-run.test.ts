import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, plan } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { asPrincipal } from './as-principal.ts'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`dry run [${revision}]: a dry run has no effect, and its plan holds until the world changes`, async () => {
    const files = ['a', 'b']
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool(
      'clean',
      {
        output: z.object({ deleted: z.number() }),
        preview: () => plan(files.map((file) => `delete ${file}`)),
      },
      () => ({ deleted: files.splice(0).length }),
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const first = await mcp.tools.preview('clean', {})
    assert.deepEqual(
      [first.effects, files],
      [
        ['delete a', 'delete b'],
        ['a', 'b'],
      ],
    )
    files.push('c')
    await assert.rejects(mcp.tools.call('clean', {}, { plan: first.plan }), /plan no longer holds/)
    assert.equal(files.length, 3)
    const second = await mcp.tools.preview('clean', {})
    const { content } = await mcp.tools.call('clean', {}, { plan: second.plan })
    assert.deepEqual(content, [{ type: 'text', text: '{"deleted":3}' }])
    await assert.rejects(mcp.tools.call('clean', {}, { plan: 'made up' }), /not a plan for this tool and caller/)
  })
}

test('dry run: a server that does not keep the contract is not asked, since it would run the tool', async () => {
  let calls = 0
  const plain = server({ name: 'plain', version: '1.0.0' }).tool('delete', {}, () => `${calls++}`)
  await using mcp = await connect(plain, { extensions: [contract()] })
  await assert.rejects(mcp.tools.preview('delete', {}), { code: 'Unsupported', outcome: 'NotSent' })
  assert.equal(calls, 0)
})

test('dry run: a tool without a preview says so and does nothing', async () => {
  let calls = 0
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('delete', {}, () => `${calls++}`)
  await using mcp = await connect(shop, { extensions: [contract()] })
  await assert.rejects(mcp.tools.preview('delete', {}), /tool "delete" cannot say what it would do/)
  assert.equal(calls, 0)
})

test('dry run: a plan for another tool, for other arguments or of another caller is refused, and nothing is done', async () => {
  let calls = 0
  const preview = () => plan(['nothing much'])
  const input = z.object({ count: z.number() })
  const shop = server({ name: 'shop', version: '1.0.0', extensions, keys: ['k'.repeat(32)] })
    .tool('one', { input, preview }, () => `${++calls}`)
    .tool('other', { input, preview }, () => `${++calls}`)
  await using ann = await asPrincipal(shop, 'ann')
  await using bob = await asPrincipal(shop, 'bob')
  const { plan: made } = await ann.tools.preview('one', { count: 1 })
  const notThis = /not a plan for this tool and caller/
  await assert.rejects(ann.tools.call('other', { count: 1 }, { plan: made }), notThis)
  await assert.rejects(bob.tools.call('one', { count: 1 }, { plan: made }), notThis)
  await assert.rejects(
    ann.tools.call('one', { count: 2 }, { plan: made }),
    /the arguments or the effects are others now/,
  )
  assert.equal(calls, 0)
  await ann.tools.call('one', { count: 1 }, { plan: made })
  assert.equal(calls, 1)
})

test('dry run: a plan that is too old is refused', async () => {
  const brief = [contract({ limits: { maxPlanAgeMs: 1 } })] as const
  const preview = () => plan(['nothing much'])
  const shop = server({ name: 'shop', version: '1.0.0', extensions: brief, keys: ['k'.repeat(32)] }).tool(
    'one',
    { preview },
    () => 'one',
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  const made = await mcp.tools.preview('one', {})
  await new Promise((resolve) => setTimeout(resolve, 5))
  await assert.rejects(mcp.tools.call('one', {}, { plan: made.plan }), /plan is too old/)
})
