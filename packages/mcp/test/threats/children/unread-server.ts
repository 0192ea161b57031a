/** A server whose answers are large, and which tells how much of them is unread. */
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../../fixtures/quiet.ts'

let served = 0

const definition = server({ name: 'unread', ...quiet })
  .tool('large', {}, () => {
    served += 1
    return `${served} `.padEnd(12_000_000, 'x')
  })
  .tool('served', {}, () => `${served}`)
  .tool('memory', {}, () => {
    for (let round = 0; round < 3; round++) globalThis.gc?.()
    // what waits to be written is neither on the heap nor counted by it
    return `${process.memoryUsage().rss}`
  })

const { url } = await serveHttp(definition, { sse: true, websocket: true, limits: { maxUnreadBytes: 16_777_216 } })
console.log(url)
