/** A server whose one tool has five steps, each an effect in a file; it kills itself where it is told to. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { sqliteStores } from '@trunkline/mcp/sqlite'

const [database = '', effects = '', killAt = ''] = process.argv.slice(2)

function reach(point: string): void {
  if (point === killAt) process.kill(process.pid, 'SIGKILL')
}

const store = sqliteStores(database).effects
const publisher = server({ name: 'publisher', version: '1.0.0', extensions: [contract({ store })] })

for (const [name, idempotent] of [
  ['publish', 'by steps'],
  ['pay', 'by key'],
] as const) {
  publisher.tool(name, { idempotent }, async (_, ctx) => {
    for (const step of ['a', 'b', 'c', 'd', 'e']) {
      await ctx.step(step, () => {
        reach(`before ${step}`)
        appendFileSync(effects, `${step}\n`)
        reach(`after ${step}`)
      })
      reach(`recorded ${step}`)
    }
    return 'published'
  })
}

await serve(publisher)
