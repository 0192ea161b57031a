/** Schemas that point into the network: neither the server that has them nor a client that is told goes there. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { quiet } from '../fixtures/quiet.ts'

let visits = 0
const canary = createServer((socket) => {
  visits += 1
  socket.destroy()
})
let address = ''

before(async () => {
  await once(canary.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/schema.json`
})

after(async () => {
  await new Promise((resolve) => canary.close(resolve))
  assert.equal(visits, 0)
})

/** Every way to point there. */
const pointers: Readonly<Record<string, () => object>> = {
  $ref: () => ({ $ref: address }),
  '$ref to a part': () => ({ $ref: `${address}#/$defs/part` }),
  '$ref against $id': () => ({ $id: address, properties: { part: { $ref: 'other.json' } } }),
  $dynamicRef: () => ({ $dynamicRef: `${address}#node` }),
  'a $ref inside': () => ({ properties: { part: { anyOf: [{ $ref: address }, true] } } }),
}

for (const [name, schemaOf] of Object.entries(pointers)) {
  const schema = () => ({ type: 'object', ...schemaOf() }) as { readonly type: 'object' }

  test(`server: a tool whose schema is elsewhere (${name}) cannot be defined`, () => {
    const define = () => server({ name: 'pointing', ...quiet }).tool('point', { input: schema() }, () => 'reached')
    assert.throws(define, { code: 'Schema', message: /nothing is fetched$/ })
  })

  test(`connect: the result of a tool is not checked by a schema that is elsewhere (${name})`, async () => {
    const warnings: string[] = []
    const tools = [{ name: 'point', inputSchema: { type: 'object' }, outputSchema: schema() }]
    const results: Readonly<Record<string, object>> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      },
      'tools/list': { tools, ttlMs: 0, cacheScope: 'private' },
      'tools/call': { content: [], structuredContent: { part: 1 } },
    }
    await using client = await connect('http://localhost/mcp', {
      revisions: ['2026-07-28'],
      onWarning: (warning) => warnings.push(warning),
      http: {
        fetch: async (_, { body = '' }) => {
          const { id, method } = JSON.parse(body)
          return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } })
        },
      },
    })
    await client.tools.list().all()
    await client.tools.call('point', {})
    assert.match(warnings.join(), /Cannot check what tool "point" returns/)
  })
}
