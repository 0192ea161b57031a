import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

function endless(worst: string): ServerSpec {
  const spec = programSpec(worst, 'endless')
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, worst] } }
}

it('a list without end is cut off, and the other servers are there', async () => {
  await using running = await runningHost({ servers: [programSpec('one')], rules: [allow] })
  await running.host.apply([programSpec('one'), endless('pages')])
  await running.host.accept('pages').catch((error: Error) => assert.match(error.message, /page/))
  await using mcp = await running.dial()
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'here' })), 'here')
  assert.ok(running.host.catalogue.entries('pages').length <= 100)
})

it('progress without end does not make a call last longer than it may', async () => {
  const spec = { ...endless('progress'), callMs: 500 }
  await using running = await runningHost({ servers: [spec], rules: [allow] })
  await using mcp = await running.dial()
  let reports = 0
  const onProgress = () => (reports += 1)
  const said = mcp.tools.call('progress__get_it', {}, { onProgress }).then(textOf, (error: Error) => error.message)
  assert.match(await said, /500 ms|timed? out|too long|longer than/i)
  assert.ok(reports > 0)
  assert.equal(running.host.calls.size, 0)
})

for (const revision of ['2025-11-25', '2026-07-28']) {
  it(`questions without end are cut off, for a caller of ${revision}`, async () => {
    await using running = await runningHost({ servers: [endless('rounds')], rules: [allow] })
    let asked = 0
    await using mcp = await running.dial('', {
      revisions: [revision],
      elicitation: () => {
        asked += 1
        return { action: 'accept', content: {} }
      },
    })
    const said = await mcp.tools.call('rounds__get_it', {}).then(textOf, (error: Error) => error.message)
    assert.match(said, /rounds|too (many|often)|ask/i)
    assert.ok(asked > 0 && asked <= 20, `${asked} questions`)
  })
}

it('a server whose line has no end answers no check any more and is ended, and the others are there', async () => {
  const spec = { ...endless('line'), healthMs: 200, pingMs: 2_000 }
  await using running = await runningHost({ servers: [programSpec('one'), spec], rules: [allow] })
  await using mcp = await running.dial()
  const said = await mcp.tools.call('line__get_it', {}).then(textOf, (error: Error) => error.message)
  assert.match(said, /did not answer 2 pings|closed/i)
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'here' })), 'here')
  assert.equal(running.host.calls.size, 0)
})

/** A server on HTTP whose answer to a call never ends; counts the bytes taken of it. */
async function pouring(type: string, begin: string) {
  const definition = server({ name: 'pour', version: '1.0.0' }).tool('get_it', {}, () => 'never')
  const serving = await serveHttp(definition, { port: 0 })
  const poured = { bytes: 0, isOver: Promise.resolve<unknown>(undefined) }
  const piece = 'x'.repeat(65_536)
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (body.includes('"tools/call"')) {
      poured.isOver = once(response, 'close')
      response.on('error', () => {})
      response.writeHead(200, { 'content-type': type }).write(begin)
      const pour = (): void => {
        let isTaken = true
        while (isTaken && !response.destroyed) {
          isTaken = response.write(piece)
          poured.bytes += piece.length
        }
      }
      response.on('drain', pour)
      return pour()
    }
    const { host: _, ...headers } = request.headers
    const { method = 'GET', url = '' } = request
    const passed = send(new URL(url, serving.url), { method, headers }, (answered) =>
      answered.pipe(response.writeHead(answered.statusCode ?? 502, answered.headers)),
    )
    response.on('close', () => passed.destroy())
    passed.on('error', () => response.destroy()).end(body)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  const { port } = front.address() as AddressInfo
  const url = `http://127.0.0.1:${port}${new URL(serving.url).pathname}`
  return {
    spec: { name: 'pour', launch: { kind: 'remote' as const, url, headers: {} } },
    poured,
    async [Symbol.asyncDispose]() {
      front.closeAllConnections()
      front.close()
      await serving.close()
    },
  }
}

const begins = {
  'a body': ['application/json', '{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":"'],
  'an event': ['text/event-stream', 'data: {"jsonrpc":"2.0","x":"'],
} as const
for (const [what, [type, begin]] of Object.entries(begins)) {
  it(`${what} without end is cut off, and no more of it is taken than a message may have`, async () => {
    await using pour = await pouring(type, begin)
    await using running = await runningHost({ servers: [programSpec('one'), pour.spec], rules: [allow] })
    await using mcp = await running.dial()
    const said = await mcp.tools.call('pour__get_it', {}).then(textOf, (error: Error) => error.message)
    assert.match(said, /67108864/)
    await pour.poured.isOver
    // bytes under way when it is cut off lie in buffers of the system
    assert.ok(pour.poured.bytes < 112 * 1024 ** 2, `${pour.poured.bytes} bytes`)
    assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'here' })), 'here')
    assert.equal(running.host.calls.size, 0)
  })
}
