import { server } from '@trunkline/mcp'
import { contract, plan, retryable, settings } from '@trunkline/mcp/contract'
import type { SqliteStores } from '@trunkline/mcp/sqlite'
import { z } from 'zod'

/** Effects in the world: packages and tags. */
export const world: string[] = []
/** Additions of the registry. */
export const sums: number[] = []
let isBusy = true
let given = 0

// region server
export const publisher = (stores: SqliteStores) =>
  server({
    name: 'publisher',
    version: '1.0.0',
    extensions: [
      contract({
        // outcomes of calls with a key are in a file, so a restart forgets none of them
        store: stores.effects,
        requires: { env: ['REGISTRY_TOKEN'], programs: { git: '>=2.40' } },
        updates: { by: 'host', from: 'npm:publisher' },
      }),
    ],
  }).tool(
    'publish',
    {
      input: z.object({ name: z.string(), tag: z.string() }),
      version: '2',
      effects: { writes: ['./dist/**'], network: ['registry.example'] },
      // two calls for one package never overlap
      concurrency: { by: ['name'] },
      timeoutMs: 60_000,
      idempotent: 'by key',
      preview: ({ name, tag }) => plan([`upload ${name}`, `tag it ${tag}`]),
    },
    async ({ name, tag }, ctx) => {
      await ctx.step(
        'upload',
        () => void world.push(name),
        () => void world.splice(world.indexOf(name), 1),
      )
      await ctx.step('tag', () => {
        if (tag === 'taken') throw new Error('There is a tag of that name')
        world.push(tag)
      })
      return ctx.want === 'brief' ? 'done' : `Published ${name} as ${tag}, ${world.length} things in all`
    },
  )
// endregion

// region settings
export const config = settings(
  {
    region: { choices: ['eu', 'us'], default: 'eu', description: 'Where packages are kept' },
    token: { secret: true, default: 'none' },
  },
  // --region, REGISTRY_REGION, registry.json and the default, in this order
  { prefix: 'REGISTRY', file: 'registry.json' },
)
// endregion

export const registry = server({
  name: 'registry',
  version: '1.0.0',
  extensions: [contract({ settings: config, spill: true, limits: { maxResultBytes: 2_000 } })],
})
  .tool('status', {}, (_, ctx) => {
    isBusy = !isBusy
    if (!isBusy) throw retryable('The registry is busy', { afterMs: 10 })
    // as the exit code of a program
    ctx.exit(3)
    return 'Three packages are outdated'
  })
  .tool(
    'wait',
    {},
    (_, ctx) => new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve(''))),
  )
  .tool('list', { output: z.object({ total: z.number(), names: z.array(z.string()) }) }, () => ({
    total: 100,
    names: Array.from({ length: 100 }, (_, at) => `package ${at}`),
  }))
  // two calls at once are answered one after the other
  .tool('next', { concurrency: 'serial', varies: ['state'] }, () => `${++given}`)
  // region varies
  .tool(
    'add',
    { input: z.object({ a: z.number(), b: z.number() }), varies: [], annotations: { readOnlyHint: true } },
    sum,
  )
  // endregion
  .tool('where', {}, (_, ctx) => ctx.path('packages/lib'))
  // region signals
  .tool('watch', { signals: { reload: 'Reads the list again', finish: 'Ends' } }, async (_, ctx) => {
    let reloads = 0
    ctx.onSignal('reload', () => reloads++)
    await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
    return `Reloaded ${reloads} times`
  })
  // endregion
  // region spill
  .tool('log', {}, (_, ctx) => ctx.spill(lines()))
// endregion

function* lines() {
  for (let line = 1; line <= 10_000; line++) yield `line ${line}\n`
}

function sum({ a, b }: { a: number; b: number }): string {
  sums.push(a + b)
  return `${a + b}`
}
