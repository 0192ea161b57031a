import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@trunkline/mcp'
import { ask } from './ask.ts'
import { app as expressApp, listener } from './express.ts'
import { app as fastifyApp } from './fastify.ts'
import { app as honoApp } from './hono.ts'
import { Clock } from './object.ts'
import { serving } from './serving.ts'
import './several.ts'
import './telemetry.ts'
import worker from './worker.ts'

await serving()

// as a user would, from the command line
await using program = await connect({ command: process.execPath, args: [`${import.meta.dirname}/program.ts`] })
console.log(await program.tools.call('zone', {}))
await program.close()

const http = createServer(expressApp)
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const { port } = http.address() as AddressInfo
await ask(`http://127.0.0.1:${port}/mcp`, 'anybody')
await ask(`http://127.0.0.1:${port}/members/mcp`, 'ada', { headers: { authorization: 'Bearer of Ada' } })
// region close
const closed = new Promise((resolve) => http.close(resolve))
await listener.close()
http.closeAllConnections()
await closed
// endregion

const fastify = await fastifyApp.listen({ port: 0, host: '127.0.0.1' })
await ask(`${fastify as 'http:'}/mcp`, 'anybody')
await fastifyApp.close()

const through = (handle: (request: Request) => Response | Promise<Response>) => ({
  fetch: async (url: string, init: RequestInit) => handle(new Request(url, init)),
})
await ask('http://localhost/mcp', 'anybody', through(honoApp.request))
await ask('http://clock.example/mcp', 'anybody', through(worker.fetch))
const object = new Clock()
await ask(
  'http://clock.example/mcp',
  'anybody',
  through((request) => object.fetch(request)),
)
