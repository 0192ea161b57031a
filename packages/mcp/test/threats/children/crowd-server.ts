/** A server with nothing said but what it serves, which tells how it feels. */
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../../fixtures/quiet.ts'

const definition = server({ name: 'crowd', ...quiet })
  .tool('extra', {}, () => 'extra')
  .tool('change', {}, (): void => {
    definition.tools.disable('extra')
  })
  .tool('feel', {}, (): string => {
    for (let round = 0; round < 3; round++) globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    return JSON.stringify({ bytes: heapUsed + external, rss, ...definition.live })
  })

const [maxListeners] = process.argv.slice(2).map(Number)
const { url } = await serveHttp(definition, maxListeners === undefined ? {} : { limits: { maxListeners } })
console.log(url)
