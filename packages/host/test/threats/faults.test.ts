/** Faults around a host: broken lines to its servers at every place, and too many open files. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'
import { z } from 'zod'
import { lacking } from '../../../../tools/lib/needs.ts'
import { start } from '../../../mcp/test/threats/children/child.ts'
import { cut, FaultProxy, reset, type Toxic } from '../../../mcp/test/threats/fault-proxy.ts'
import { toolCall } from '../../../mcp/test/threats/messages.ts'
import { RawConnection, rawRequest } from '../../../mcp/test/threats/raw-socket.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { deferred } from '../../src/relay/deferred.ts'
import { runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

/** A server on HTTP that writes down its calls, at the other end of a line that a test can break. */
async function journal(revision: string) {
  const done = new Map<string, number>()
  const definition = server({ name: 'journal', version: '1.0.0', revisions: [revision], onWarning() {} }).tool(
    'write',
    { input: z.object({ nonce: z.string() }) },
    ({ nonce }) => {
      done.set(nonce, (done.get(nonce) ?? 0) + 1)
      return nonce
    },
  )
  const endpoint = toNode(definition)
  // one request for each connection, so that it is known which one breaks
  const http = createServer((request, response) => endpoint(request, response.setHeader('connection', 'close')))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const proxy = await FaultProxy.to((http.address() as AddressInfo).port)
  const url = `http://127.0.0.1:${proxy.port}/mcp`
  return {
    spec: { name: 'journal', launch: { kind: 'remote' as const, url, headers: {} } },
    done: (nonce: string) => done.get(nonce) ?? 0,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await endpoint.close()
      http.closeAllConnections()
      http.close()
    },
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Breaks the connection of a call one way or the other, and lets every other connection be. */
function ofCalls({ up, down }: { readonly up?: Toxic; readonly down?: Toxic }) {
  const isCall = deferred<boolean>()
  const onUp: Toxic = async function* (bytes) {
    const pieces = bytes[Symbol.asyncIterator]()
    let head = Buffer.alloc(0)
    while (!/\r\n\r\n[\s\S]/.test(head.toString('latin1'))) {
      const next = await pieces.next()
      if (next.done) break
      head = Buffer.concat([head, next.value])
    }
    isCall.resolve(head.includes('"method":"tools/call"'))
    const all = withFirst(head, pieces)
    yield* up && (await isCall.promise) ? up(all) : all
  }
  const onDown: Toxic = async function* (bytes) {
    yield* down && (await isCall.promise) ? down(bytes) : bytes
  }
  return { up: [onUp], down: [onDown] }
}

const plans = [
  ['2026-07-28', cut],
  ['2025-11-25', reset],
] as const
for (const [revision, toxic] of plans) {
  it(`a call whose line to a server of ${revision} breaks by ${toxic.name} at any byte is made at most once, and its outcome is true`, async () => {
    await using line = await journal(revision)
    await using running = await runningHost({ servers: [line.spec], rules: [allow] })
    await using mcp = await running.dial()
    let count = 0
    const sent = { up: 0, down: 0 }
    const counting = (way: 'up' | 'down'): Toxic =>
      async function* (bytes) {
        for await (const piece of bytes) {
          sent[way] += piece.length
          yield piece
        }
      }
    const call = async (faults: Parameters<typeof ofCalls>[0]) => {
      const nonce = `nonce-${String(++count).padStart(4, '0')}`
      line.proxy.faults = () => ofCalls(faults)
      const result = await mcp.tools.call('journal__write', { nonce })
      const [last] = queryLedger(running.host.store, { server: 'journal', target: 'write', kind: 'ended', most: 1 })
      return { nonce, isOk: !result.isError, said: textOf(result), outcome: last?.line.outcome }
    }
    const whole = await call({ up: counting('up'), down: counting('down') })
    assert.deepEqual([whole.isOk, whole.outcome, line.done(whole.nonce)], [true, 'ok', 1])
    for (let at = 0; at < sent.up; at += 29) {
      const { nonce, isOk, said, outcome } = await call({ up: toxic(at) })
      assert.deepEqual([isOk, line.done(nonce)], [false, 0], `${said} after ${at} of ${sent.up} bytes of the request`)
      assert.ok(outcome === 'unknown' || outcome === 'notsent' || outcome === 'rejected', `${outcome}: ${said}`)
    }
    for (let at = 1; at < sent.down; at += 29) {
      const { nonce, isOk, said, outcome } = await call({ down: toxic(at) })
      assert.equal(line.done(nonce), 1, `${said} after ${at} of ${sent.down} bytes of the answer`)
      assert.equal(outcome, isOk ? 'ok' : 'unknown', said)
    }
    const after = await call({})
    assert.deepEqual([after.isOk, line.done(after.nonce)], [true, 1])
    assert.equal(running.host.ledger.verify().broken, undefined)
  })
}

/** A connection on which a call was answered. */
async function served(port: number, call: string): Promise<RawConnection | undefined> {
  const connection = await RawConnection.to(port)
  connection.write(call)
  if ((await connection.answer())?.status === 200) return connection
  connection.socket.destroy()
  return undefined
}

it('with no files left, connected callers are served, and others again when there are', {
  skip: lacking('posix', process.platform !== 'win32'),
}, async () => {
  const files = 96
  await using child = await start('../../../../host/test/bad-input/on-few-files.ts', { files })
  const { port } = child
  const { headers, body } = toolCall('one__echo', { text: 'here' })
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map((pair) => pair.join(': '))
  const call = rawRequest('POST', '/mcp', lines, body)
  for (let round = 0; round < 2; round += 1) {
    // at once: the host closes connections that are idle, and has their files again
    const callers = await Promise.all(Array.from({ length: files }, () => served(port, call)))
    const inside = callers.filter((caller) => caller !== undefined)
    assert.ok(inside.length > 10 && inside.length < files, `${inside.length}`)
    for (const connection of inside) connection.write(call)
    const answers = await Promise.all(inside.map((connection) => connection.answer()))
    assert.ok(answers.every((answer) => answer?.status === 200))
    for (const { socket } of inside) socket.destroy()
    let next = await served(port, call)
    while (!next) next = await served(port, call)
    next.socket.destroy()
  }
  child.process.kill('SIGTERM')
  await child.whenOver
})
