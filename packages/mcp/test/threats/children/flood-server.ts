/** A server without options, and a tool that says more than a client wants to hear. */
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { Events } from '../../fixtures/events.ts'
import { quiet } from '../../fixtures/quiet.ts'

const flood = {
  type: 'object',
  properties: { count: { type: 'integer' }, waits: { type: 'boolean' } },
  required: ['count', 'waits'],
} as const
const piece = 'x'.repeat(10_000)
const events = new Events()

// what holds back a handler in a loop is another rule
const limits = { maxLogMessagesPerSecondPerCall: Number.POSITIVE_INFINITY }

const definition = server({ name: 'flood', limits, ...quiet })
  .tool('flood', { input: flood }, async ({ count, waits }, ctx) => {
    for (let number = 0; number < count; number++) {
      const written = ctx.log('error', `${number} ${piece}`)
      if (waits && (await isSlow(written))) events.emit('stalled')
      if (waits) await written
    }
    events.emit('over')
    return 'flooded'
  })
  .tool(
    'happened',
    { input: { type: 'object', properties: { event: { type: 'string' } }, required: ['event'] } as const },
    ({ event }) => events.next(event),
  )
  .tool('memory', {}, () => {
    for (let round = 0; round < 3; round++) globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return `${heapUsed + external}`
  })

/** True if something is not over when everything else has had many turns. */
async function isSlow(written: Promise<void>): Promise<boolean> {
  let isOver = false
  void written.then(() => {
    isOver = true
  })
  for (let turn = 0; turn < 200 && !isOver; turn++) await setImmediate()
  return !isOver
}

const { url } = await serveHttp(definition, { sse: true })
console.log(url)
