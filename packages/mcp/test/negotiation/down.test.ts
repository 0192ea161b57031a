/** A server that is down is reported as what it is, also to a client that speaks one revision only. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import '../no-leaks.ts'
import { program } from '../processes.ts'
import { type Answering, error, json, plain, scripted } from '../scripted-http.ts'

/** An address without a listener. */
async function nowhere(): Promise<string> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `127.0.0.1:${port}/mcp`
}

const pins = [['2026-07-28'], ['2025-11-25'], ['2024-11-05'], undefined]

for (const revisions of pins) {
  const options = { ...(revisions && { revisions }), timeoutMs: 200 }
  const who = revisions ? `one that speaks ${revisions} only` : 'any client'

  test(`connect: to ${who}, an address without a listener cannot be reached`, async () => {
    const address = await nowhere()
    for (const url of [`http://${address}`, `ws://${address}`]) {
      const unreachable = { code: 'NotSent', outcome: 'NotSent', message: /^Cannot reach / }
      await assert.rejects(connect(new URL(url), { ...options, timeoutMs: 5_000 }), unreachable)
    }
  })

  test(`connect: to ${who}, a connection that is reset broke`, async () => {
    await using server = await scripted((_, response) => void response.socket?.resetAndDestroy())
    const broken = { code: 'Closed', outcome: 'Unknown', message: /the connection broke before the response/ }
    await assert.rejects(connect(new URL(server.url), { ...options, timeoutMs: 5_000 }), broken)
  })

  test(`connect: to ${who}, silence is silence`, async () => {
    await using server = await scripted(() => {})
    await assert.rejects(connect(new URL(server.url), options), { code: 'Timeout', message: /no answer to/ })
  })

  test(`connect: to ${who}, a program that ends says why, and one that is not there is not there`, async () => {
    const target = program(() => {
      process.stderr.write('no license')
      process.exit(1)
    })
    const ended = { code: 'Closed', message: /exited with code 1, after writing to stderr:\nno license/ }
    await assert.rejects(connect(target, { ...options, timeoutMs: 10_000 }), ended)
    await assert.rejects(connect({ command: 'no-such-program-anywhere' }, options), { code: 'Spawn' })
  })
}

const statuses: readonly (readonly [what: string, answering: Answering, expected: object])[] = [
  ['500', (_, response) => plain(response, 500), { code: 'Http', status: 500 }],
  ['503', (_, response) => plain(response, 503), { code: 'Http', status: 503 }],
  ['404', (_, response) => plain(response, 404), { code: 'Http', status: 404 }],
  ['a page', (_, response) => plain(response, 200, '<html></html>', 'text/html'), { code: 'InvalidResponse' }],
]

for (const [what, answering, expected] of statuses) {
  test(`connect: to one that speaks the newest revision only, ${what} is what it is`, async () => {
    await using server = await scripted(answering)
    await assert.rejects(connect(new URL(server.url), { revisions: ['2026-07-28'] }), expected)
  })
}

test('connect: to one that speaks the newest revision only, a refusal of the question names its cause', async () => {
  await using server = await scripted((seen, response) => json(response, error(seen, -32601), 404))
  const failure: Error = await connect(new URL(server.url), { revisions: ['2026-07-28'] }).then(
    () => assert.fail(),
    (e) => e,
  )
  assert.deepEqual({ ...failure }, { name: 'McpError', code: 'Unsupported', outcome: 'NotSent', status: undefined })
  assert.equal((failure.cause as { code: number }).code, -32601)
})
