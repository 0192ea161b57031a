/** A server that uses every mechanism of the contract, for clients that have never heard of it. */
import { serve, server } from '@trunkline/mcp'
import { contract, plan, retryable, settings } from '@trunkline/mcp/contract'
import { z } from 'zod'

const config = settings({ region: { default: 'eu' } }, { args: [], env: {} })
const options = { spill: true, settings: config, requires: { env: ['HOME'] }, limits: { maxResultBytes: 4_000 } }

await serve(
  server({ name: 'contract', version: '1.0.0', keys: ['k'.repeat(32)], extensions: [contract(options)] as const })
    .tool(
      'publish',
      {
        input: z.object({ name: z.string() }),
        output: z.object({ done: z.boolean() }),
        version: '2',
        deprecated: { until: '2030-01-01', instead: 'release' },
        effects: { writes: ['./dist/**'] },
        varies: ['state'],
        concurrency: { by: ['name'] },
        idempotent: 'by key',
        timeoutMs: 60_000,
        signals: { hurry: 'Does less' },
        preview: () => plan(['nothing']),
      },
      async (_, ctx) => {
        ctx.onSignal('hurry', () => {})
        await ctx.step('upload', () => {})
        ctx.exit(0)
        return { done: true }
      },
    )
    .tool('undo', {}, async (_, ctx) => {
      await ctx.step(
        'one',
        () => {},
        () => {},
      )
      await ctx.step('two', () => {
        throw retryable('The disk is full', { afterMs: 10 })
      })
    })
    .tool('late', { timeoutMs: 20 }, () => new Promise<string>(() => {}))
    .tool('want', {}, (_, ctx) => `${ctx.want} ${ctx.deadline}`)
    .tool('long', {}, () => 'x'.repeat(10_000))
    .tool('table', { output: z.object({ rows: z.array(z.string()) }) }, () => ({ rows: Array(500).fill('row') }))
    .tool('stream', {}, (_, ctx) => ctx.spill(['line\n'.repeat(5_000)])),
)
