import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, retryable, retryHintOf } from '@trunkline/mcp/contract'
import { toNode } from '@trunkline/mcp/node'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const

for (const revision of revisions) {
  test(`retry hints [${revision}]: a hint makes the client wait and try again, where a repeat is safe`, async () => {
    let calls = 0
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('flaky', {}, () => {
      calls += 1
      if (calls % 3 > 0) throw retryable('The upstream is busy', { afterMs: 1 })
      return 'at last'
    })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    assert.deepEqual((await mcp.tools.call('flaky', {})).retry, { class: 'rateLimited', afterMs: 1 })
    assert.equal(calls, 1, 'nothing says that a repeat is safe')
    calls = 0
    const { content } = await mcp.tools.call('flaky', {}, { idempotencyKey: true })
    assert.deepEqual([content, calls], [[{ type: 'text', text: 'at last' }], 3])
  })

  test(`retry hints [${revision}]: a call beyond a rate is made again when its server says, where a repeat is safe`, async () => {
    const limits = { callsPerMinute: { calls: 600, burst: 1 } }
    const shop = server({ name: 'shop', version: '1.0.0', extensions, limits }).tool('buy', {}, () => 'bought')
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    await mcp.tools.call('buy', {})
    await assert.rejects(mcp.tools.call('buy', {}), (error) => retryHintOf(error)?.class === 'rateLimited')
    const { content } = await mcp.tools.call('buy', {}, { idempotencyKey: true })
    assert.deepEqual(content, [{ type: 'text', text: 'bought' }])
  })

  test(`retry hints [${revision}]: a call that failed for good, too late or too often is not repeated`, async () => {
    let calls = 0
    const hints = { permanent: { class: 'permanent' }, late: { afterMs: 60_000 }, often: { afterMs: 1 } } as const
    const shop = server({ name: 'shop', version: '1.0.0', extensions })
    for (const [name, hint] of Object.entries(hints))
      shop.tool(name, {}, () => {
        calls += 1
        throw retryable('No', hint)
      })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const counts: { [name: string]: number } = {}
    for (const name of Object.keys(hints)) {
      calls = 0
      await mcp.tools.call(name as never, {} as never, { idempotencyKey: true, attempts: 2 })
      counts[name] = calls
    }
    assert.deepEqual(counts, { permanent: 1, late: 1, often: 2 })
  })
}

for (const [status, header, hint] of [
  [429, '1', { class: 'rateLimited', afterMs: 1_000 }],
  [503, '1', { class: 'transient', afterMs: 1_000 }],
  [503, undefined, { class: 'transient' }],
] as const) {
  test(`retry hints: HTTP ${status} with Retry-After ${header} is waited for, where a repeat is safe`, async () => {
    const arrivals: number[] = []
    const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool('buy', {}, () => 'bought')
    const handle = toNode(shop)
    let refusals = 1
    const http = createServer((request, response) => {
      if (request.headers['mcp-method'] !== 'tools/call') return void handle(request, response)
      arrivals.push(performance.now())
      if (refusals-- <= 0) return void handle(request, response)
      request.resume()
      response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end()
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
    await using mcp = await connect(url, { extensions: [contract()] })
    const error = await mcp.tools.call('buy', {}).catch((reason: unknown) => reason)
    assert.deepEqual([retryHintOf(error), arrivals.length], [hint, 1], 'nothing says that a repeat is safe')
    refusals = 1
    arrivals.length = 0
    const { content } = await mcp.tools.call('buy', {}, { idempotencyKey: true })
    assert.deepEqual([content, arrivals.length], [[{ type: 'text', text: 'bought' }], 2])
    const waited = (arrivals[1] ?? 0) - (arrivals[0] ?? 0)
    assert.ok(waited >= ('afterMs' in hint ? hint.afterMs : 0) - 5, `it waited ${waited} ms`)
    await mcp.close()
    http.closeAllConnections()
    http.close()
  })
}
