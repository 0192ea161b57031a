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

/** The order in which extensions are listed does not matter, on either side. */
const orders = [
  ['2026-07-28', 'tasks first'],
  ['2026-07-28', 'contract first'],
  ['2025-11-25', 'tasks first'],
  ['2025-11-25', 'contract first'],
] as const

for (const [revision, order] of orders) {
  test(`contract in a task [${revision}, ${order}]: steps, wants and deadlines are kept as in a call`, async () => {
    let undone = 0
    let stopped: (reason: unknown) => void = () => {}
    const whenStopped = new Promise<unknown>((resolve) => {
      stopped = resolve
    })
    const own = contract({ spill: true, limits: { maxResultBytes: 2_000 } })
    const isFirst = order === 'contract first'
    // both have the same types
    const extensions = (isFirst ? [own, tasks()] : [tasks(), own]) as readonly [typeof own, ReturnType<typeof tasks>]
    const shop = server({
      name: 'shop',
      version: '1.0.0',
      extensions,
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
    const onClient = (isFirst ? [contract(), tasks()] : [tasks(), contract()]) as typeof extensions
    await using mcp = await connect(shop, { extensions: onClient, revisions: [revision] })
    await mcp.tools.list().all()

    // where the server decides, a call becomes a task by itself, and its result says as much
    const { steps } = await mcp.tools.call('fail', {}, { want: { detail: 'brief' } })
    assert.deepEqual(
      steps?.map(({ state }) => state),
      ['undone', 'failed'],
    )
    undone = 0

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
