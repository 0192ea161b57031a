import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNode } from '@trunkline/mcp/node'
import { definition, options } from '../../packages/mcp/test/runtimes/definition.ts'
import { check, perPath } from './site.ts'

const listeners = perPath(() => toNode(definition(), options))
const server = createServer((request, response) => listeners(request.url ?? '')(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
console.log(JSON.stringify(await check((server.address() as AddressInfo).port)))
server.close()
server.closeAllConnections()
