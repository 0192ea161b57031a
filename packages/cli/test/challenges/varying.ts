/** A server with a tool that keeps what it says of its results, one that does not, and one that says nothing. */
import { serve, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

let calls = 0
await serve(
  server({ name: 'varying', version: '1.0.0', extensions: [contract()] })
    .tool('sum', { varies: [], idempotent: true }, () => '3')
    .tool('liar', { varies: [], idempotent: true }, () => `${++calls}`)
    .tool('clock', { varies: ['time'], idempotent: true }, () => `${++calls}`)
    .tool('delete', { varies: [] }, () => `deleted ${++calls}`),
)
