/** A server whose slow calls come to an end some time after it is told to end, or by a signal of their own. */
import { serve, server } from '@trunkline/mcp'
import { Events } from '../../fixtures/events.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { gate } from '../../gate.ts'

const { promise: released, open: release } = gate()
const events = new Events()
const [drainMs = '3000', releasedBy] = process.argv.slice(2)
if (releasedBy) process.once(releasedBy, release)
else process.once('SIGTERM', () => setTimeout(release, 100))

const definition = server({ name: 'drain', ...quiet })
  .tool('slow', {}, async ({ nonce }) => {
    events.emit('started')
    await released
    return `answered ${nonce}`
  })
  .tool('large', {}, async () => {
    events.emit('started')
    await released
    return 'z'.repeat(8_000_000)
  })
  .tool('hang', {}, async (_, { signal }) => {
    events.emit('started')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    console.error('aborted')
  })
  .tool('started', {}, () => events.next('started'))

const { url } = await serve(definition, {
  http: 0,
  sse: true,
  websocket: true,
  drainMs: Number(drainMs),
})
console.log(url)
