import assert from 'node:assert/strict'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Client, McpError, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import type { Doing } from '../../src/acts/doing.ts'
import { isRepeatable, withRepeats } from '../../src/acts/repeat.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { Upstream } from '../../src/servers/upstream.ts'
import { runningHost, textOf } from '../gateway/running-host.ts'
import { type TermsWorld, termsWorld } from './terms-world.ts'

describe('calls that are made again', () => {
  let world: TermsWorld
  let mcp: Client
  const tries = (name: string): number => world.done().filter((line) => line.startsWith(`${name} `)).length
  before(async () => {
    world = await termsWorld({}, { maxRepeatsPerMinute: 5 })
    mcp = await world.dial()
  })
  after(async () => {
    await mcp?.close()
    await world?.[Symbol.asyncDispose]()
  })

  it('a call that only reads is made again when its server says so, within three attempts', async () => {
    assert.equal(textOf(await mcp.tools.call('kept__get_flaky', { name: 'a', failures: 2 })), 'done after 2')
    assert.equal(tries('a'), 3)
    const failed = await mcp.tools.call('kept__get_flaky', { name: 'b', failures: 9 })
    assert.equal(failed.isError, true)
    assert.equal(tries('b'), 3)
  })

  it('beyond the budget of its server nothing is made again', async () => {
    // four of five were spent above
    const failed = await mcp.tools.call('kept__get_flaky', { name: 'c', failures: 9 })
    assert.equal(failed.isError, true)
    assert.equal(tries('c'), 2)
  })

  it('a call that may change something is never made again, and its caller reads the hint', async () => {
    const failed = await mcp.tools.call('kept__write_flaky', { name: 'd', failures: 1 })
    assert.equal(failed.isError, true)
    const { 'dev.trunkline/contract': terms } = failed._meta ?? {}
    assert.deepEqual(terms, { retry: { class: 'rateLimited', afterMs: 5 } })
    assert.equal(tries('d'), 1)
  })

  it('a call that may have been done is not repeated after its server crashed', async () => {
    const failed = await mcp.tools.call('plain__add_and_crash', { text: 'crash' })
    assert.equal(failed.isError, true)
    assert.equal(tries('crash'), 0)
    assert.equal(world.done().filter((line) => line === 'crash').length, 1)
  })

  it('a call that certainly did not leave is sent again, where a person says that a repeat does no harm', async () => {
    const upstream = { spec: { name: 'x', repeatable: ['sync_*'] }, connection: undefined } as unknown as Upstream
    const doing = (target: string, more: object = {}) =>
      ({
        act: { kind: 'call', class: 'writes', target },
        call: { signal: AbortSignal.any([]) },
        ...more,
      }) as unknown as Doing
    assert.deepEqual(
      ['sync_all', 'drop'].map((name) => isRepeatable(doing(name), upstream)),
      [true, false],
    )
    for (const [outcome, runs] of [
      ['NotSent', 2],
      ['Unknown', 1],
      ['Rejected', 1],
    ] as const) {
      let ran = 0
      const work = withRepeats(doing('sync_all'), upstream, async () => {
        ran += 1
        if (ran === 1) throw new McpError('Closed', 'gone', { outcome })
        return { content: [] }
      })
      if (runs === 2) await work
      else await assert.rejects(work, /gone/)
      assert.equal(ran, runs)
    }
    const late = doing('sync_all', { given: { terms: {}, endsAt: performance.now() + 50, isSent: true } })
    const refused = withRepeats(late, upstream, async () => {
      throw new McpError('Closed', 'gone', { outcome: 'NotSent' })
    })
    await assert.rejects(refused, /gone/)
  })
})

/** A server on HTTP behind something that answers some calls itself, as a service that is busy does. */
async function busyServer() {
  const shop = server({ name: 'shop', version: '1.0.0' })
    .tool('get_price', { annotations: { readOnlyHint: true } }, () => '3 EUR')
    .tool('order', {}, () => 'ordered')
  const serving = await serveHttp(shop, { port: 0 })
  const seen: { readonly tool: string; readonly at: number }[] = []
  const answers: { readonly status: number; readonly after?: string }[] = []
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const [, tool] = /"method":"tools\/call".*?"name":"(\w+)"/.exec(body.toString()) ?? []
    if (tool !== undefined) seen.push({ tool, at: performance.now() })
    const answer = tool === undefined ? undefined : answers.shift()
    if (answer) return response.writeHead(answer.status, answer.after ? { 'retry-after': answer.after } : {}).end()
    const { method, headers, url = '' } = request
    const { host: _, ...rest } = headers
    const passed = send(new URL(url, serving.url), { method: method ?? 'GET', headers: rest }, (answered) => {
      answered.pipe(response.writeHead(answered.statusCode ?? 502, answered.headers))
    })
    request.socket.on('close', () => passed.destroy())
    passed.on('error', () => response.destroy()).end(body)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${new URL(serving.url).pathname}`,
    seen,
    answers,
    async [Symbol.asyncDispose]() {
      front.closeAllConnections()
      front.close()
      await serving.close()
    },
  }
}

it('429 and 503 with Retry-After: a read waits that long and is made again, a write is not, and both callers read the hint', async () => {
  await using busy = await busyServer()
  const launch = { kind: 'remote' as const, url: busy.url, headers: {} }
  const rules = [parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })]
  await using running = await runningHost({ servers: [{ name: 'shop', launch }], rules })
  await using mcp = await running.dial()
  const hintOf = ({ _meta }: { readonly _meta?: object }) => Object(_meta)['dev.trunkline/contract']?.retry

  busy.answers.push({ status: 429, after: '1' }, { status: 503 })
  assert.equal(textOf(await mcp.tools.call('shop__get_price', {})), '3 EUR')
  const [first, second, third] = busy.seen.map(({ at }) => at)
  assert.equal(busy.seen.length, 3)
  assert.ok(Number(second) - Number(first) >= 990, 'as long as it was told')
  assert.ok(Number(third) - Number(second) >= 190, 'and a while where it was not told')

  busy.seen.length = 0
  busy.answers.push({ status: 429, after: '7' })
  const refused = await mcp.tools.call('shop__order', {})
  assert.equal(refused.isError, true)
  assert.deepEqual(hintOf(refused), { class: 'rateLimited', afterMs: 7_000 })
  assert.equal(busy.seen.length, 1, 'what may change something is sent once')

  busy.seen.length = 0
  busy.answers.push({ status: 503, after: '3600' })
  const later = await mcp.tools.call('shop__get_price', {})
  assert.deepEqual([later.isError, hintOf(later)], [true, { class: 'transient', afterMs: 3_600_000 }])
  assert.equal(busy.seen.length, 1, 'nobody is kept waiting for an hour')

  busy.seen.length = 0
  busy.answers.push({ status: 403 })
  assert.equal((await mcp.tools.call('shop__get_price', {})).isError, true)
  assert.equal(busy.seen.length, 1, 'what is refused for good is not asked again')
})
