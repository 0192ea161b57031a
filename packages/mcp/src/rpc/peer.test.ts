import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soon } from '../../test/soon.ts'
import { memoryPair } from '../transports/memory.ts'
import { McpError, RpcError } from '../wire/errors.ts'
import type { Fields, Message } from '../wire/messages.ts'
import type { Channel, Receiver } from './channel.ts'
import type { ControlMethods } from './control-methods.ts'
import type { Incoming } from './incoming.ts'
import { Peer, type PeerHandlers } from './peer.ts'
import type { PeerLimits } from './peer-limits.ts'

type Handler = (incoming: Incoming) => Promise<Fields> | Fields

function pair(handler: Handler, limits?: PeerLimits) {
  const [near, far] = memoryPair()
  const told: string[] = []
  const caller = new Peer(near, quiet)
  const callee = new Peer(far, { control, request: handler, notification: (method) => told.push(method) }, limits)
  return { caller, callee, told, [Symbol.asyncDispose]: () => caller.close() }
}

const control: ControlMethods = {
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  notCancellable: new Set(['initialize']),
}

const quiet: PeerHandlers = {
  control,
  request: () => {
    throw new RpcError(-32601, 'Method not found')
  },
  notification: () => {},
}

/** One end of a channel in the hands of the test: it sees and says raw messages. */
function rawEnd(channel: Channel) {
  const seen: Message[] = []
  const waiting: (() => void)[] = []
  const receiver: Receiver = {
    message(message) {
      seen.push(message as Message)
      for (const wake of waiting.splice(0)) wake()
    },
    malformed() {},
    failed() {},
    ended: async () => {},
    closed() {},
  }
  channel.open(receiver)
  return {
    seen,
    say: (message: unknown) => channel.send(message as Message),
    async next(count: number): Promise<readonly Message[]> {
      while (seen.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return seen
    },
  }
}

/** A promise and the way to settle it. */
function gate<T = void>() {
  let open!: (value: T) => void
  const promise = new Promise<T>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

test('call resolves with the result of the other side', async () => {
  await using both = pair(({ params }) => ({ echoed: params.text }))
  assert.deepEqual(await both.caller.call('echo', { text: 'hi' }), { echoed: 'hi' })
  assert.deepEqual(both.caller.live, { pending: 0, serving: 0 })
})

test('call rejects with the code, message and data of the other side', async () => {
  await using both = pair(() => {
    throw new RpcError(-32602, 'Bad', { field: 'x' })
  })
  await assert.rejects(both.caller.call('any', {}), {
    name: 'RpcError',
    code: -32602,
    message: 'Bad',
    outcome: 'Rejected',
    data: { field: 'x' },
  })
})

test('call hides what a handler throws that is not meant for the wire', async () => {
  await using both = pair(() => Promise.reject(new Error('password is hunter2')))
  await assert.rejects(both.caller.call('any', {}), { code: -32603, message: 'Internal error' })
})

test('a request with id 0 or the empty string is answered', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  new Peer(far, { ...quiet, request: () => ({ ok: true }) })
  client.say({ jsonrpc: '2.0', id: 0, method: 'a' })
  client.say({ jsonrpc: '2.0', id: '', method: 'b' })
  const [first, second] = await client.next(2)
  assert.deepEqual(first, { jsonrpc: '2.0', id: 0, result: { ok: true } })
  assert.deepEqual(second, { jsonrpc: '2.0', id: '', result: { ok: true } })
  await near.close()
})

test('ids 1 and "1" are two requests', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const gates = [gate<Fields>(), gate<Fields>()]
  new Peer(far, { ...quiet, request: ({ method }) => (method === 'a' ? gates[0] : gates[1])?.promise ?? {} })
  client.say({ jsonrpc: '2.0', id: 1, method: 'a' })
  client.say({ jsonrpc: '2.0', id: '1', method: 'b' })
  gates[1]?.open({ from: 'b' })
  assert.deepEqual(await client.next(1), [{ jsonrpc: '2.0', id: '1', result: { from: 'b' } }])
  gates[0]?.open({ from: 'a' })
  assert.deepEqual((await client.next(2))[1], { jsonrpc: '2.0', id: 1, result: { from: 'a' } })
  await near.close()
})

test('an answer to a string id never settles the call with the same number', async () => {
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const warnings: string[] = []
  const peer = new Peer(near, { ...quiet, warning: (message) => warnings.push(message) })
  const call = peer.call('x', {})
  await server.next(1)
  server.say({ jsonrpc: '2.0', id: '0', result: { wrong: true } })
  server.say({ jsonrpc: '2.0', id: 0, result: { right: true } })
  assert.deepEqual(await call, { right: true })
  assert.equal(warnings.length, 1)
  await near.close()
})

test('a second request under an id in use is refused', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const hold = gate<Fields>()
  new Peer(far, { ...quiet, request: () => hold.promise })
  client.say({ jsonrpc: '2.0', id: 1, method: 'a' })
  client.say({ jsonrpc: '2.0', id: 1, method: 'a' })
  const [refused] = await client.next(1)
  assert.equal((refused as { error: { code: number } }).error.code, -32600)
  hold.open({})
  await client.next(2)
  await near.close()
})

test("aborting a call rejects with the signal's own reason and reaches the handler", async () => {
  const aborted = gate<unknown>()
  const started = gate()
  await using both = pair(({ signal }) => {
    signal.addEventListener('abort', () => aborted.open(signal.reason))
    started.open()
    return new Promise(() => {})
  })
  const stop = new AbortController()
  const reason = new Error('enough')
  const call = both.caller.call('hang', {}, { signal: stop.signal })
  await started.promise
  stop.abort(reason)
  await assert.rejects(call, (error) => error === reason)
  assert.equal(((await aborted.promise) as Error).message, 'enough')
  assert.deepEqual(both.callee.live, { pending: 0, serving: 0 })
  assert.deepEqual(both.caller.live, { pending: 0, serving: 0 })
})

test('a call whose signal has aborted already is not sent', async () => {
  await using both = pair(() => assert.fail('sent'))
  await assert.rejects(both.caller.call('x', {}, { signal: AbortSignal.abort('no') }), (error) => error === 'no')
})

test('nothing is sent about a request after it was cancelled', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const finish = gate<Fields>()
  let incoming: Incoming | undefined
  const peer = new Peer(far, {
    ...quiet,
    request(request) {
      incoming = request
      return request.method === 'hang' ? finish.promise : {}
    },
  })
  client.say({ jsonrpc: '2.0', id: 5, method: 'hang' })
  client.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  client.say({ jsonrpc: '2.0', id: 6, method: 'after' })
  await client.next(1)
  assert.equal(incoming?.method, 'after')
  finish.open({ late: true })
  await finish.promise
  client.say({ jsonrpc: '2.0', id: 7, method: 'again' })
  await client.next(2)
  assert.deepEqual(
    client.seen.map((message) => (message as { id: number }).id),
    [6, 7],
  )
  assert.deepEqual(peer.live, { pending: 0, serving: 0 })
  await near.close()
})

test('"initialize" is never cancelled', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const finish = gate<Fields>()
  new Peer(far, { ...quiet, request: () => finish.promise })
  client.say({ jsonrpc: '2.0', id: 1, method: 'initialize' })
  client.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  finish.open({ done: true })
  assert.deepEqual(await soon(client.next(1), 'the answer'), [{ jsonrpc: '2.0', id: 1, result: { done: true } }])
  await near.close()
})

test('progress that was sent before the result arrives before it', async () => {
  const order: string[] = []
  await using both = pair(async (incoming) => {
    const { progressToken } = incoming.params._meta as { progressToken: number }
    void incoming.notify('notifications/progress', { progressToken, progress: 1 })
    void incoming.notify('notifications/progress', { progressToken, progress: 2 })
    return {}
  })
  await both.caller
    .call('work', {}, { onProgress: ({ progress }) => order.push(`progress ${progress}`) })
    .then(() => order.push('result'))
  assert.deepEqual(order, ['progress 1', 'progress 2', 'result'])
})

test('a progress token goes out with every call, wanted or not', async () => {
  await using both = pair(({ params }) => ({ token: (params._meta as Fields).progressToken }))
  assert.deepEqual(await both.caller.call('x', {}), { token: 0 })
})

test('progress that does not go forward is not reported', async () => {
  await using both = pair((incoming) => {
    for (const progress of [1, 1, 0.5, 2])
      void incoming.notify('notifications/progress', { progressToken: 0, progress })
    return {}
  })
  const seen: number[] = []
  await both.caller.call('x', {}, { onProgress: ({ progress }) => seen.push(progress) })
  assert.deepEqual(seen, [1, 2])
})

test('a silent peer times out, and says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const peer = new Peer(near, quiet)
  const call = peer.call('x', {}, { timeoutMs: 1_000 })
  await server.next(1)
  t.mock.timers.tick(1_000)
  await assert.rejects(call, {
    code: 'Timeout',
    outcome: 'Unknown',
    message: 'Cannot finish "x": no answer in 1000 ms',
  })
  await server.next(2)
  assert.equal((server.seen[1] as { method: string }).method, 'notifications/cancelled')
  assert.deepEqual(peer.live, { pending: 0, serving: 0 })
  await near.close()
})

test('progress resets the idle timeout, but not the total', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const peer = new Peer(near, quiet)
  const reported: number[] = []
  const call = peer.call(
    'x',
    {},
    { timeoutMs: 100, maxTotalMs: 350, onProgress: ({ progress }) => reported.push(progress) },
  )
  const failed = assert.rejects(call, { code: 'Timeout', message: /350 ms in total/ })
  await server.next(1)
  for (let progress = 1; progress <= 5; progress++) {
    server.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress } })
    await new Promise<void>((resolve) => queueMicrotask(resolve))
    t.mock.timers.tick(90)
  }
  await failed
  assert.ok(reported.length >= 3)
  await near.close()
})

test('progress that does not increase is not reported, whatever the other side sends', async () => {
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const peer = new Peer(near, quiet)
  const reported: number[] = []
  const call = peer.call('x', {}, { onProgress: ({ progress }) => reported.push(progress) })
  await server.next(1)
  for (const progress of [1, 3, 2, 3, Number.NaN, 4]) {
    server.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress } })
  }
  server.say({ jsonrpc: '2.0', id: 0, result: {} })
  await call
  assert.deepEqual(reported, [1, 3, 4])
  await near.close()
})

test('the idle timeout stands still while the other side waits for us', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const peer = new Peer(near, quiet)
  const call = peer.call('x', {}, { timeoutMs: 100 })
  await server.next(1)
  const release = peer.hold()
  t.mock.timers.tick(500)
  assert.equal(peer.live.pending, 1)
  release()
  t.mock.timers.tick(100)
  await assert.rejects(call, { code: 'Timeout' })
  await near.close()
})

for (const timeoutMs of [0, -1, Number.NaN]) {
  test(`timeoutMs ${timeoutMs} is refused`, async () => {
    const [near] = memoryPair()
    const peer = new Peer(near, quiet)
    assert.throws(() => peer.call('x', {}, { timeoutMs }), { code: 'Misuse' })
    await peer.close()
  })
}

test('closing rejects calls in flight as unknown and later ones as not sent', async () => {
  await using both = pair(() => new Promise(() => {}))
  const call = both.caller.call('hang', {})
  const failed = assert.rejects(call, { code: 'Closed', outcome: 'Unknown' })
  await both.caller.close()
  await failed
  await assert.rejects(both.caller.call('x', {}), { code: 'NotSent', outcome: 'NotSent' })
  assert.deepEqual(both.caller.live, { pending: 0, serving: 0 })
  assert.deepEqual(both.callee.live, { pending: 0, serving: 0 })
})

test('closing aborts what is being served', async () => {
  const aborted = gate<unknown>()
  const started = gate()
  const both = pair(({ signal }) => {
    signal.addEventListener('abort', () => aborted.open(signal.reason))
    started.open()
    return new Promise(() => {})
  })
  const call = both.caller.call('hang', {}).catch(() => {})
  await started.promise
  await both.caller.close()
  assert.ok((await aborted.promise) instanceof McpError)
  await call
})

test('the other side ending its half lets what it asked for finish', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const finish = gate<Fields>()
  const peer = new Peer(far, { ...quiet, request: () => finish.promise })
  client.say({ jsonrpc: '2.0', id: 1, method: 'slow' })
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  const idle = peer.ended()
  finish.open({ done: true })
  await idle
  assert.deepEqual(await client.next(1), [{ jsonrpc: '2.0', id: 1, result: { done: true } }])
  await near.close()
})

test('ended: resolves for every waiter once all requests are answered', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const finish = gate<Fields>()
  const peer = new Peer(far, { ...quiet, request: () => finish.promise })
  client.say({ jsonrpc: '2.0', id: 1, method: 'slow' })
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  const told: number[] = []
  const waiting = [1, 2, 3].map((who) => peer.ended().then(() => told.push(who)))
  finish.open({})
  await client.next(1)
  await Promise.resolve()
  assert.deepEqual(told, [1, 2, 3])
  await Promise.all(waiting)
  await near.close()
})

test('requests beyond the serving limit wait, and are served in order', async () => {
  const gates = Array.from({ length: 4 }, () => gate<Fields>())
  const started: number[] = []
  await using both = pair(
    ({ params }) => {
      started.push(params.n as number)
      return gates[params.n as number]?.promise ?? {}
    },
    { maxRequestsInFlightPerConnection: 2 },
  )
  const calls = [0, 1, 2, 3].map((n) => both.caller.call('work', { n }))
  gates[1]?.open({})
  await calls[1]
  assert.deepEqual(started, [0, 1, 2])
  for (const { open } of gates) open({})
  await Promise.all(calls)
  assert.deepEqual(started, [0, 1, 2, 3])
})

test('requests beyond the waiting limit are refused', async () => {
  const hold = gate<Fields>()
  await using both = pair(() => hold.promise, {
    maxRequestsInFlightPerConnection: 1,
    maxRequestsQueuedPerConnection: 1,
  })
  const calls = [both.caller.call('a', {}), both.caller.call('b', {})]
  await assert.rejects(both.caller.call('c', {}), { code: -32603, data: { limit: 2 } })
  hold.open({})
  await Promise.all(calls)
})

test('a waiting request can be cancelled', async () => {
  const hold = gate<Fields>()
  const started: string[] = []
  await using both = pair(
    ({ method }) => {
      started.push(method)
      return hold.promise
    },
    { maxRequestsInFlightPerConnection: 1 },
  )
  const first = both.caller.call('first', {})
  const stop = new AbortController()
  const second = both.caller.call('second', {}, { signal: stop.signal })
  const third = both.caller.call('third', {})
  stop.abort(new Error('changed my mind'))
  await assert.rejects(second, /changed my mind/)
  hold.open({})
  await Promise.all([first, third])
  assert.deepEqual(started, ['first', 'third'])
})

test('more open calls than the limit are refused without being sent', async () => {
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const peer = new Peer(near, quiet, { maxCallsInFlightPerConnection: 1 })
  const first = peer.call('a', {}).catch(() => {})
  await assert.rejects(peer.call('b', {}), { code: 'Busy', outcome: 'NotSent' })
  await server.next(1)
  await near.close()
  await first
})

test('a batch is answered by one array where batches exist', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  const told: string[] = []
  new Peer(far, {
    control,
    request: ({ method }) => ({ method }),
    notification: (method) => told.push(method),
    batches: () => true,
  })
  client.say([
    { jsonrpc: '2.0', id: 1, method: 'a' },
    { jsonrpc: '2.0', method: 'note' },
    { jsonrpc: '2.0', id: 2, method: 'b' },
  ])
  const [answer] = await client.next(1)
  assert.deepEqual(answer, [
    { jsonrpc: '2.0', id: 1, result: { method: 'a' } },
    { jsonrpc: '2.0', id: 2, result: { method: 'b' } },
  ])
  assert.deepEqual(told, ['note'])
  await near.close()
})

test('a batch is refused as a whole where batches do not exist', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  new Peer(far, { ...quiet, request: () => assert.fail('served') })
  client.say([{ jsonrpc: '2.0', id: 1, method: 'a' }])
  const [answer] = await client.next(1)
  assert.deepEqual(answer, {
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Cannot read message: this revision has no batches' },
  })
  await near.close()
})

test('a batch whose requests are all cancelled is not answered', async () => {
  const [near, far] = memoryPair()
  const client = rawEnd(near)
  new Peer(far, {
    ...quiet,
    request: ({ method }) => (method === 'hang' ? new Promise(() => {}) : { ok: true }),
    batches: () => true,
  })
  client.say([{ jsonrpc: '2.0', id: 1, method: 'hang' }])
  client.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  client.say({ jsonrpc: '2.0', id: 2, method: 'next' })
  assert.deepEqual(await client.next(1), [{ jsonrpc: '2.0', id: 2, result: { ok: true } }])
  await near.close()
})

test('call rejects and is forgotten when its params cannot be written', async () => {
  await using both = pair(() => ({}))
  await assert.rejects(both.caller.call('any', { n: 5n }), { code: 'Misuse', outcome: 'NotSent' })
  assert.deepEqual(both.caller.live, { pending: 0, serving: 0 })
  await assert.rejects(async () => both.caller.notify('any', { n: 5n }), { code: 'Misuse' })
})

test('an answer to a call that was given up is no reason for a warning', async () => {
  const [near, far] = memoryPair()
  const server = rawEnd(far)
  const warnings: string[] = []
  const peer = new Peer(near, { ...quiet, warning: (message) => warnings.push(message) })
  const stop = new AbortController()
  const call = assert.rejects(peer.call('x', {}, { signal: stop.signal }), /enough/)
  stop.abort(new Error('enough'))
  await call
  await server.next(2)
  server.say({ jsonrpc: '2.0', id: 0, result: {} })
  server.say({ jsonrpc: '2.0', id: 1, result: {} })
  await new Promise(setImmediate)
  assert.deepEqual(warnings, ['Ignored an answer with an unknown id, 1'])
  await near.close()
})

test('Peer: cancelling and progress go by the names that it is given', async () => {
  const own = { cancelled: 'stop', progress: 'step', notCancellable: new Set(['hello']) }
  const [near, far] = memoryPair()
  const started = new Promise<Incoming>((resolve) => {
    const request = (incoming: Incoming): Promise<Fields> => {
      resolve(incoming)
      return new Promise(() => {})
    }
    new Peer(far, { ...quiet, control: own, request })
  })
  const peer = new Peer(near, { ...quiet, control: own })
  const stop = new AbortController()
  const reports: number[] = []
  const call = peer.call('work', {}, { signal: stop.signal, onProgress: ({ progress }) => reports.push(progress) })
  const incoming = await started
  await incoming.notify('step', { progressToken: incoming.id, progress: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  const aborted = new Promise((resolve) => incoming.signal.addEventListener('abort', resolve))
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  await aborted
  assert.deepEqual(reports, [1])
  await peer.close()
})
