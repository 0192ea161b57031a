/** A server that uses every mechanism of the contract; as a program it is served on stdio. */
import { serve, server } from '@trunkline/mcp'
import { contract, plan, retryable, settings } from '@trunkline/mcp/contract'
import { z } from 'zod'

const config = settings({ region: { choices: ['eu', 'us'], default: 'eu' } }, { prefix: 'EVERY' })

/** Effects of its calls, so that a second one would show. */
const done: string[] = []

export const everyMechanism = server({
  name: 'every',
  version: '1.0.0',
  keys: ['k'.repeat(32)],
  onError: () => {},
  extensions: [
    contract({
      requires: { env: ['TOKEN'] },
      updates: { by: 'host', from: 'npm:every' },
      settings: config,
      spill: true,
      folders: ['/tmp'],
      limits: { maxResultBytes: 2_000 },
    }),
  ],
})
  .tool(
    'publish',
    {
      input: z.object({ name: z.string() }),
      output: z.object({ count: z.number(), name: z.string() }),
      version: '2',
      deprecated: { until: '2030-01-01', instead: 'release' },
      effects: { writes: ['./dist/**'], network: ['registry.example'] },
      varies: ['state'],
      concurrency: { by: ['name'] },
      idempotent: 'by key',
      timeoutMs: 60_000,
      preview: ({ name }: { name: string }) => plan([`upload ${name}`]),
    },
    ({ name }) => ({ count: done.push(name), name }),
  )
  .tool('end', {}, (_, ctx) => {
    ctx.exit(3)
    return ctx.want
  })
  .tool('late', { timeoutMs: 20 }, async (_, ctx) => {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    return ''
  })
  .tool('fail', {}, async (_, ctx) => {
    const nothing = (): void => {}
    await ctx.step('one', nothing, nothing)
    await ctx.step('two', () => Promise.reject(new Error('the disk is full')))
    return ''
  })
  .tool('busy', {}, () => {
    throw retryable('Not now', { afterMs: 7 })
  })
  .tool('where', {}, (_, ctx) => `${ctx.cwd} ${ctx.deadline instanceof Date}`)
  .tool('watch', { signals: { finish: 'Ends' } }, async (_, ctx) => {
    await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
    return 'finished'
  })
  .tool('long', {}, (_, ctx) => ctx.spill(['line\n'.repeat(1_000)]))

if (import.meta.main) await serve(everyMechanism)
