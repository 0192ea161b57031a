/** Times that no timer can wait for: cut to what it can, or refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { type HttpServerOptions, serveHttp } from '@trunkline/mcp/node'
import { counting } from './counting.ts'
import { faces, openSession } from './faces.ts'
import { within } from './messages.ts'

type Options = HttpOptions & HttpServerOptions

const everywhere: readonly ((ms: number) => Options)[] = [
  (keepAliveMs) => ({ keepAliveMs }),
  (drainMs) => ({ drainMs }),
  (idleMs) => ({ sessions: { idleMs } }),
  (retryMs) => ({ sessions: { retryMs } }),
]
const ownServer: readonly ((ms: number) => Options)[] = [
  (headersTimeoutMs) => ({ headersTimeoutMs }),
  (requestTimeoutMs) => ({ requestTimeoutMs }),
]

for (const ms of [Number.NaN, -1]) {
  test(`toFetch, serveHttp: ${ms} milliseconds are refused at once`, async () => {
    for (const options of everywhere)
      assert.throws(() => toFetch(counting().definition, options(ms)), { code: 'Misuse' })
    for (const options of [...everywhere, ...ownServer]) {
      await assert.rejects(serveHttp(counting().definition, options(ms)), { code: 'Misuse' })
    }
  })
}

for (const ms of [Number.POSITIVE_INFINITY, 2 ** 31, Number.MAX_VALUE]) {
  test(`toFetch, serveHttp: ${ms} milliseconds are not over at once`, async (t) => {
    const started: number[] = []
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const start = globalThis[name]
      t.mock.method(globalThis, name, (run: () => void, delay: number) => {
        started.push(delay)
        return start(run, delay)
      })
    }
    const options = Object.assign({}, ...everywhere.map((one) => one(ms)), { sessions: { idleMs: ms, retryMs: ms } })
    await using face = await faces.fetch(counting().definition, options)
    const session = await openSession(face)
    assert.equal((await face.send({ method: 'GET', headers: { accept: 'text/event-stream', ...session } })).status, 200)
    assert.equal((await face.send(within(session, { id: 1, method: 'ping' }))).status, 200)
    assert.ok(started.length > 0)
    for (const delay of started) assert.ok(delay > 1 && delay < 2 ** 31, `${delay}`)
  })
}
