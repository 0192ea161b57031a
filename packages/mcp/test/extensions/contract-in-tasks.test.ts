import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, type ResultTerms } from '@trunkline/mcp/contract'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'
import { soon } from '../soon.ts'

const contractId = 'dev.trunkline/contract'
const termsOf = ({ _meta }: { readonly _meta?: { readonly [key: string]: unknown } }) =>
  _meta?.[contractId] as ResultTerms | undefined

for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  test(`contract in a task [${revision}]: steps, wants and deadlines are kept as in a call`, async () => {
    let undone = 0
    let stopped: (reason: unknown) => void = () => {}
    const whenStopped = new Promise<unknown>((resolve) => {
      stopped = resolve
    })
    const shop = server({
      name: 'shop',
      version: '1.0.0',
      extensions: [tasks(), contract({ spill: true, limits: { maxResultBytes: 2_000 } })] as const,
      onError: () => {},
    })
      .tool('fail', { task: 'optional' }, async (_, ctx) => {
        await ctx.step(
          'one',
          () => {},
          () => undone++,
        )
        await ctx.step('two', () => Promise.reject(new Error('the disk is full')))
      })
      .tool('report', { task: 'optional', output: z.object({ total: z.number(), rows: z.array(z.string()) }) }, () => ({
        total: 1,
        rows: ['a'],
      }))
      .tool('wait', { task: 'optional', timeoutMs: 20 }, async (_, ctx) => {
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
        stopped(ctx.signal.reason)
      })
      .tool('long', { task: 'optional' }, (_, ctx) => ctx.spill(['line\n'.repeat(1_000)]))
    await using mcp = await connect(shop, { extensions: [contract(), tasks()], revisions: [revision] })
    await mcp.tools.list().all()

    const failed = await (await mcp.tools.start('fail', {})).result()
    assert.deepEqual(termsOf(failed)?.steps, [
      { name: 'one', state: 'undone' },
      { name: 'two', state: 'failed', why: 'the disk is full' },
    ])
    assert.equal(undone, 1)

    const meta = { [contractId]: { want: { fields: ['/total'] } } }
    const report = await (await mcp.tools.start('report', {}, { meta })).result()
    assert.deepEqual(report.structuredContent, { total: 1 })

    const late = await (await mcp.tools.start('wait', {})).result()
    assert.deepEqual([late.isError, termsOf(late)?.status], [true, { code: 124, class: 'timeout' }])
    assert.ok((await soon(whenStopped, 'the end of the handler')) instanceof Error)

    const spilled = mcp.tools.spilled(await (await mcp.tools.start('long', {})).result())
    assert.equal(await spilled?.lines(1_000, 1_000), 'line\n')
  })
}
