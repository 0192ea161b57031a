/** A server whose tools have five steps, each an effect in a file; it kills itself where it is told to. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { contract, type EffectStore } from '@trunkline/mcp/contract'
import { sqliteStores } from '@trunkline/mcp/sqlite'
import { z } from 'zod'

const [database = '', effects = '', killAt = ''] = process.argv.slice(2)

function reach(point: string): void {
  if (point === killAt) process.kill(process.pid, 'SIGKILL')
}

/** A store that says when the call as a whole is about to begin, has begun, and is done. */
function reported(store: EffectStore): EffectStore {
  return {
    async begin(effect, expiresAt) {
      if (effect.key === 'outcome') reach('before it begins')
      const known = await store.begin(effect, expiresAt)
      if (effect.key === 'outcome') reach('when it has begun')
      return known
    },
    async done(effect, value) {
      await store.done(effect, value)
      if (effect.key === 'outcome') reach('when it is recorded')
    },
    undone: (effect) => store.undone(effect),
  }
}

const store = reported(sqliteStores(database).effects)
const publisher = server({ name: 'publisher', version: '1.0.0', extensions: [contract({ store })] as const })
const steps = ['a', 'b', 'c', 'd', 'e'] as const

for (const [tool, idempotent] of [
  ['publish', 'by steps'],
  ['pay', 'by key'],
  ['fail', 'by steps'],
] as const) {
  publisher.tool(tool, { input: z.object({ key: z.string() }), idempotent }, async ({ key }, ctx) => {
    const happen = (what: string): void => appendFileSync(effects, `${key} ${what}\n`)
    for (const step of steps) {
      await ctx.step(
        step,
        () => {
          reach(`before ${step}`)
          if (tool === 'fail' && step === 'e') throw new Error('the disk is full')
          happen(step)
          reach(`after ${step}`)
        },
        () => {
          reach(`before ${step} is undone`)
          happen(`not ${step}`)
          reach(`after ${step} is undone`)
        },
      )
      reach(`when ${step} is recorded`)
    }
    return 'published'
  })
}

publisher.tool('tick', { input: z.object({ key: z.string() }), idempotent: 'by key' }, async ({ key }, ctx) => {
  await ctx.step('tick', () => appendFileSync(effects, `${key} tick\n`))
  return 'ticked'
})

if (killAt === 'http') console.log((await serve(publisher, { http: '127.0.0.1:0' })).url)
else await serve(publisher)
