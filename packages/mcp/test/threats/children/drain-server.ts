/** A server whose slow calls come to an end some time after it is told to end. */
import { serve, server } from '@trunkline/mcp'
import { Events } from '../../fixtures/events.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { gate } from '../../gate.ts'

const { promise: released, open: release } = gate()
const events = new Events()
process.once('SIGTERM', () => setTimeout(release, 100))

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
  drainMs: Number(process.argv[2] ?? 3_000),
})
console.log(url)
