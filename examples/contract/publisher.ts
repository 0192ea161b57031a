import { server } from '@trunkline/mcp'
import { contract, plan, retryable } from '@trunkline/mcp/contract'
import { z } from 'zod'

/** What is out in the world: packages and tags. */
export const world: string[] = []
let isBusy = true

// #region server
export const publisher = server({
  name: 'publisher',
  version: '1.0.0',
  extensions: [contract({ requires: { env: ['REGISTRY_TOKEN'], programs: { git: '>=2.40' } } })],
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
// #endregion

export const registry = server({ name: 'registry', version: '1.0.0', extensions: [contract()] })
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
  .tool('log', {}, () => Array.from({ length: 1_000 }, (_, line) => `line ${line}`).join('\n'))
