/**
 * Streams that would outlive the token that opened them: they end with it, and a client that comes back misses
 * nothing.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { connect } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { Mailbox } from '../mailbox.ts'
import { type Authenticator, openAuthenticator } from './authenticators.ts'
import { counting } from './counting.ts'
import { faceAt, openSession, type Sent } from './faces.ts'
import { type Headers, listen } from './messages.ts'
import { RawConnection, rawRequest } from './raw-socket.ts'

const accept = 'text/event-stream'
/** Every stream that has no end of its own, in the words that open it. */
const shapes: Readonly<Record<string, (session: Headers) => Sent>> = {
  'a listener': () => listen('mine'),
  'the stream of a session': (session) => ({ method: 'GET', headers: { accept, ...session } }),
  'the stream of the oldest transport': () => ({ method: 'GET', path: '/sse', headers: { accept } }),
}

/** A server in this process, to which every caller is known until a time. */
async function open(expiresAt?: number) {
  const { definition } = counting()
  const handler = toFetch(definition, { auth: openAuthenticator(expiresAt), sse: true })
  const respond = ({ method = 'POST', path = '/mcp', headers = {}, body }: Sent) =>
    handler(new Request(`http://localhost${path}`, { method, headers, ...(body && { body: `${body}` }) }))
  const session = await openSession({
    async send(sent) {
      const response = await respond(sent)
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  })
  return { definition, session, respond, [Symbol.asyncDispose]: () => handler.close() }
}

interface Timer {
  readonly delay: number
  run(): void
  isUnref: boolean
}

/** Timers that wait until they are told to run, in the order in which they were set. */
function heldTimers(t: TestContext): ReadonlySet<Timer> {
  const live = new Set<Timer>()
  t.mock.method(globalThis, 'setTimeout', (task: () => void, delay: number) => {
    const run = (): void => {
      live.delete(timer)
      task()
    }
    const unref = (): void => {
      timer.isUnref = true
    }
    const timer = { delay, run, unref, isUnref: false }
    live.add(timer)
    return timer
  })
  t.mock.method(globalThis, 'clearTimeout', (timer: Timer) => live.delete(timer))
  return live
}

for (const [shape, sent] of Object.entries(shapes)) {
  test(`${shape} ends when the authorization does, by one timer that keeps no process alive`, async (t) => {
    await using at = await open(Date.now() + 60_000)
    const live = heldTimers(t)
    const response = await at.respond(sent(at.session))
    await setImmediate()
    const [timer, ...others] = live
    assert.ok(timer && timer.delay > 0 && timer.delay <= 60_000 && timer.isUnref)
    assert.deepEqual(others, [])
    timer.run()
    const read = await response.text()
    if (shape === 'a listener') assert.match(read, /"id":"mine","result":.*"resultType":"complete".*\n\n$/)
    assert.equal(at.definition.live.connections, 1)
    assert.equal(at.definition.live.watchers, 1)
    assert.equal(live.size, 0)
  })

  test(`${shape} leaves no timer behind when its reader leaves first, and needs none when nothing ends`, async (t) => {
    await using at = await open(Date.now() + 60_000)
    await using forever = await open()
    const live = heldTimers(t)
    const streams = [await at.respond(sent(at.session)), await forever.respond(sent(forever.session))]
    await setImmediate()
    assert.equal(live.size, 1)
    for (const { body } of streams) await body?.cancel()
    await setImmediate()
    assert.equal(live.size, 0)
  })

  test(`${shape} is not over at once when its authorization lasts longer than a timer can`, async (t) => {
    await using at = await open(Number.MAX_VALUE)
    const live = heldTimers(t)
    const response = await at.respond(sent(at.session))
    await setImmediate()
    assert.deepEqual(
      Array.from(live, ({ delay }) => delay),
      [2 ** 31 - 1],
    )
    await response.body?.cancel()
  })

  test(`serveHttp: ${shape} ends in order, and the connection lives on`, async () => {
    const auth = openAuthenticator(Date.now() + 500)
    await using listening = await serveHttp(counting().definition, { auth, sse: true })
    const { method = 'POST', path = '/mcp', headers, body } = sent(await openSession(faceAt(listening.url)))
    const lines = Object.entries({ host: 'localhost', ...headers }).map((line) => line.join(': '))
    using connection = await RawConnection.to(Number(new URL(listening.url).port))
    connection.write(rawRequest(method, path, lines, body as string))
    await connection.until(/\r\n0\r\n\r\n$/)
    connection.write(rawRequest('GET', '/healthz', ['Host: localhost']))
    await connection.until(/ok\n$/)
  })
}

test('the stream of a session: messages after its end wait for the client to come back', async (t) => {
  await using at = await open(Date.now() + 60_000)
  const live = heldTimers(t)
  const opening = { method: 'GET', headers: { accept, ...at.session } }
  const first = await at.respond(opening)
  for (const timer of live) timer.run()
  await first.text()
  at.definition.tool('later', {}, () => 'told to whoever listens')
  const second = await at.respond(opening)
  for (const timer of live) timer.run()
  assert.match(await second.text(), /tools\/list_changed/)
})

test('client.watch: a client that was sent away comes back by itself, and looks for what it missed', async () => {
  const { definition } = counting()
  let isFirst = true
  const auth: Authenticator = {
    documents: new Map(),
    authenticate(visitor) {
      const isListening = visitor.header('mcp-method') === 'subscriptions/listen'
      const expiresAt = isListening && isFirst ? Date.now() + 1_100 : undefined
      isFirst &&= !isListening
      return openAuthenticator(expiresAt).authenticate(visitor)
    },
  }
  await using listening = await serveHttp(definition, { auth })
  await using client = await connect(new URL(listening.url))
  const changes = new Mailbox<string>()
  await using _watch = await client.watch({ tools: true, uris: ['note:a'] }, ({ kind }) => changes.put(kind))
  assert.deepEqual([await changes.take(), await changes.take()], ['tools', 'resource'])
  definition.tool('later', {}, () => 'told to whoever listens')
  assert.equal(await changes.take(), 'tools')
})
