/** Sessions of several processes: whichever a request reaches, it is the same session. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server, text } from '@trunkline/mcp'
import { type ClusterStores, memoryCluster } from '@trunkline/mcp/http'
import { quiet } from '../fixtures/quiet.ts'
import { openSession, post } from '../http/raw.ts'
import { Mailbox } from '../mailbox.ts'
import { turnsUntil } from '../soon.ts'
import { eventsOf, processes, stream } from './processes.ts'

const streamable = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
const asked = (method: string, params: object, id: string | number = method) => ({ jsonrpc: '2.0', id, method, params })
const call = (name: string, id: string | number = name) => asked('tools/call', { name, arguments: {} }, id)
const remove = (headers: Record<string, string>) => new Request('http://localhost/mcp', { method: 'DELETE', headers })

const plain = (at: number) =>
  server({ name: 'weather', ...quiet })
    .tool('where', {}, () => `at ${at}`)
    .tool('log', {}, async (_, ctx) => {
      await ctx.log('info', 'too much')
      await ctx.log('error', 'enough')
      return `for ${ctx.caller.info?.name}`
    })
    .tool('ask', {}, async (_, ctx) => {
      const { content } = await ctx.sample({ messages: [{ role: 'user', content: text(`from ${at}`) }], maxTokens: 9 })
      return `${at} heard ${JSON.stringify(content)}`
    })

for (const revision of streamable) {
  test(`cluster: in ${revision} every request of a session may reach another process (rule 7)`, async () => {
    await using all = await processes(plain)
    await using mcp = await all.connect({ revisions: [revision] })
    const calls = Array.from({ length: 6 }, () => mcp.tools.call('where', {}))
    const places = (await Promise.all(calls)).map(({ content }) => JSON.stringify(content))
    assert.equal(new Set(places).size, 3)
    assert.equal((await mcp.tools.list().all()).length, 3)
  })

  test(`cluster: in ${revision} a question in the middle of a call is answered at another process (rule 8)`, async () => {
    await using all = await processes(plain)
    const sampling = async () => ({ role: 'assistant', content: text('well'), model: 'm' }) as const
    await using mcp = await all.connect({ revisions: [revision], sampling })
    for (const _ of [1, 2, 3]) {
      const { content } = await mcp.tools.call('ask', {})
      assert.match(JSON.stringify(content), /heard .*well/)
    }
  })
}

test('cluster: log level and subscriptions that one process stored hold at the others (rule 7)', async () => {
  await using all = await processes(plain)
  const session = await openSession(all.at(0), '2025-11-25')
  assert.match((await post(all.at(1), call('log'), session)).text, /too much.*enough/s)
  assert.equal((await post(all.at(2), asked('logging/setLevel', { level: 'error' }), session)).status, 200)
  const { text: said } = await post(all.at(1), call('log'), session)
  assert.doesNotMatch(said, /too much/)
  assert.match(said, /enough.*for raw/s)
})

test('cluster: a session that ended at one process is gone at the next request to another (rule 7)', async () => {
  await using all = await processes(plain)
  const session = await openSession(all.at(0), '2025-11-25')
  assert.equal((await post(all.at(2), call('where'), session)).status, 200)
  assert.equal((await all.at(0)(remove(session))).status, 200)
  assert.equal((await post(all.at(2), call('where'), session)).status, 404)
  assert.equal((await post(all.at(1), asked('logging/setLevel', { level: 'error' }), session)).status, 404)
  assert.equal(await all.stores.sessions.version(session['mcp-session-id'] ?? ''), undefined)
})

test('cluster: a change that is stored while its session ends does not bring it back (rule 7)', async () => {
  const stores = memoryCluster()
  const changing = new Mailbox<() => void>()
  const { change } = stores.sessions
  await using all = await processes(plain, { stores })
  const session = await openSession(all.at(0), '2025-11-25')
  stores.sessions.change = async (...args) => {
    await new Promise<void>((resolve) => changing.put(resolve))
    return change.apply(stores.sessions, args)
  }
  const setting = post(all.at(1), asked('logging/setLevel', { level: 'error' }), session)
  const goOn = await changing.take()
  assert.equal((await all.at(0)(remove(session))).status, 200)
  goOn()
  assert.equal((await setting).status, 404)
  assert.equal((await post(all.at(2), call('where'), session)).status, 404)
})

test('cluster: a session that is idle at one process and used at another lives on (rule 7)', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const clock = context.mock.method(performance, 'now', () => 0)
  await using all = await processes(plain, { idleMs: 60_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  clock.mock.mockImplementation(() => 61_000)
  assert.equal((await post(all.at(1), call('where'), session)).status, 200)
  context.mock.timers.tick(60_000)
  assert.equal((await post(all.at(1), call('where'), session)).status, 200)
  assert.equal((await post(all.at(0), call('where'), session)).status, 200)
})

test('cluster: a session that idles out at a process while a request of it is read is restored there (rule 7)', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const clock = context.mock.method(performance, 'now', () => 0)
  const stores = memoryCluster()
  const version = stores.sessions.version.bind(stores.sessions)
  await using all = await processes(plain, { stores, idleMs: 60_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  assert.equal((await post(all.at(0), call('where'), session)).status, 200)
  clock.mock.mockImplementation(() => 61_000)
  let reads = 0
  stores.sessions.version = async (id) => {
    reads += 1
    context.mock.timers.tick(60_000)
    return version(id)
  }
  assert.equal((await post(all.at(0), call('where'), session)).status, 200)
  assert.equal(reads, 1)
})

test('cluster: two questions of two processes in one session, answers swapped, each get their own (rule 8)', async () => {
  await using all = await processes(plain)
  const [a, b, c] = [all.at(0), all.at(1), all.at(2)]
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'raw', version: '1' },
  }
  const { headers } = await post(a, asked('initialize', initialize))
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  await post(a, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  const calls = await Promise.all([stream(b, call('ask', 'b'), session), stream(c, call('ask', 'c'), session)])
  const [atB, atC] = calls.map(eventsOf) as [ReturnType<typeof eventsOf>, ReturnType<typeof eventsOf>]
  const questions = [await atB.take(), await atC.take()]
  const result = (words: string) => ({ role: 'assistant', content: { type: 'text', text: words }, model: 'm' })
  for (const question of questions.toReversed()) {
    if (question === 'end') assert.fail('A stream ended before its question')
    const { id, params } = question.message
    const answer = { jsonrpc: '2.0', id, result: result(`for ${params.messages[0].content.text}`) }
    assert.equal((await post(a, answer, session)).status, 202)
  }
  const answers = [await atB.take(), await atC.take()].map((event) => JSON.stringify(event))
  assert.match(answers[0] ?? '', /1 heard .*for from 1/)
  assert.match(answers[1] ?? '', /2 heard .*for from 2/)
})

test('cluster: an answer from another session than the one that was asked is not taken (rule 8)', async () => {
  await using all = await processes(plain)
  const open = async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: {} },
      clientInfo: { name: 'raw', version: '1' },
    }
    const { headers } = await post(all.at(0), asked('initialize', params))
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  }
  const [own, other] = [await open(), await open()]
  const events = eventsOf(await stream(all.at(1), call('ask'), own))
  const question = await events.take()
  if (question === 'end') assert.fail('The stream ended before the question')
  const answer = (words: string) => ({
    jsonrpc: '2.0',
    id: question.message.id,
    result: { role: 'assistant', content: { type: 'text', text: words }, model: 'm' },
  })
  assert.equal((await post(all.at(1), call('where'), other)).status, 200)
  assert.equal((await post(all.at(2), answer('forged'), other)).status, 202)
  assert.equal((await post(all.at(2), answer('true'), own)).status, 202)
  assert.match(JSON.stringify(await events.take()), /heard .*true/)
})

test('cluster: a cancel reaches the process that works, wherever it arrives (rule 8)', async () => {
  const began = new Mailbox<string>()
  const aborted = new Mailbox<string>()
  const hanging = (at: number) =>
    server({ name: 'weather', ...quiet }).tool('hang', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.put(`${at}: ${signal.reason.message}`))
      began.put('began')
      return new Promise<string>(() => {})
    })
  await using all = await processes(hanging)
  const session = await openSession(all.at(0), '2025-11-25')
  void stream(all.at(2), call('hang', 7), session)
  await began.take()
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } }
  assert.equal((await post(all.at(1), cancel, session)).status, 202)
  assert.equal(await aborted.take(), '2: enough')
})

test('cluster: a question whose answer came while its process counted as ended fails, so that its call is answered (rule 6)', async () => {
  let isCutOff = false
  const cutOff = (at: number, stores: ClusterStores): ClusterStores => {
    if (at !== 1) return stores
    const { presence } = stores
    return {
      ...stores,
      presence: {
        beat: (...given) => (isCutOff ? Promise.reject(new Error('Cut off')) : presence.beat(...given)),
        isLive: (epoch) => presence.isLive(epoch),
        leave: (epoch) => presence.leave(epoch),
      },
    }
  }
  await using all = await processes(plain, { view: cutOff, leaseMs: 200, pollMs: 20 })
  const session = await openSession(all.at(0), '2025-11-25', { sampling: {} })
  const events = eventsOf(await stream(all.at(1), call('ask', 7), session))
  const question = await events.take()
  if (question === 'end') assert.fail('The stream ended before its question')
  const { id } = question.message
  isCutOff = true
  await turnsUntil(async () => !(await all.stores.presence.isLive(id.split('.')[0])), 'the process to count as ended')
  const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } }
  assert.equal((await post(all.at(2), { jsonrpc: '2.0', id, result }, session)).status, 202)
  isCutOff = false
  const answer = await events.take()
  if (answer === 'end') assert.fail('The stream ended without an answer')
  assert.equal(answer.message.id, 7)
  assert.match(JSON.stringify(answer.message), /isError|"error"/)
})

test('cluster: a question is withdrawn on the stream of its call when that is cancelled at another process (rule 8)', async () => {
  await using all = await processes(plain)
  const session = await openSession(all.at(0), '2025-11-25', { sampling: {} })
  const events = eventsOf(await stream(all.at(1), call('ask', 7), session))
  const question = await events.take()
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  assert.equal((await post(all.at(2), cancel, session)).status, 202)
  const withdrawn = await events.take()
  if (question === 'end' || withdrawn === 'end') assert.fail('The stream ended before the question was withdrawn')
  assert.equal(withdrawn.message.method, 'notifications/cancelled')
  assert.equal(withdrawn.message.params.requestId, question.message.id)
  assert.equal(await events.take(), 'end')
})
