/** Streams of calls in a cluster: each call is answered once, wherever its client resumes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { type ClusterStores, type FetchHandler, memoryCluster } from '@trunkline/mcp/http'
import { z } from 'zod'
import { quiet } from '../fixtures/quiet.ts'
import { openSession, post } from '../http/raw.ts'
import { Mailbox } from '../mailbox.ts'
import { type Event, eventsOf, processes, stream } from './processes.ts'

const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'talk', arguments: {} } }

/** Processes whose tool says what a test tells it to. */
function talking() {
  const words = new Mailbox<string>()
  const said = new Mailbox<string>()
  const make = () =>
    server({ name: 'talk', ...quiet }).tool('talk', {}, async (_, ctx) => {
      for (let word = await words.take(); word !== 'end'; word = await words.take()) {
        await ctx.log('error', word)
        said.put(word)
      }
      said.put('end')
      return 'the end'
    })
  return { make, words, said }
}

function resume(handler: FetchHandler, session: Record<string, string>, after: string): Promise<Response> {
  const headers = { accept: 'text/event-stream', 'last-event-id': after, ...session }
  return handler(new Request('http://localhost/mcp', { headers }))
}

async function next(events: Mailbox<Event | 'end'>): Promise<Event> {
  const event = await events.take()
  return event === 'end' ? assert.fail('The stream ended') : event
}

test('cluster: a stream is resumed at another process, with all that came meanwhile and the answer once (rule 6)', async () => {
  const { make, words } = talking()
  await using all = await processes(make)
  const session = await openSession(all.at(0), '2025-11-25')
  words.put('one')
  const atC = eventsOf(await stream(all.at(2), call, session))
  const { id } = await next(atC)
  words.put('two')
  await next(atC)
  const atA = eventsOf(await resume(all.at(0), session, id))
  assert.equal((await next(atA)).message.params.data, 'two')
  words.put('three')
  assert.equal((await next(atA)).message.params.data, 'three')
  words.put('end')
  const answer = await next(atA)
  assert.deepEqual([answer.message.id, answer.message.result.content[0].text], [7, 'the end'])
  assert.equal(await atA.take(), 'end')
  const again = eventsOf(await resume(all.at(1), session, answer.id))
  assert.equal(await again.take(), 'end')
})

test('cluster: a process that closes while a client resumes there sends it elsewhere, and does not say that events are lost (rule 6)', async () => {
  const { make, words } = talking()
  let whileRead = async (): Promise<void> => {}
  const view = (at: number, stores: ClusterStores): ClusterStores => {
    const { events } = stores
    const after = async (name: string, number: number) => {
      if (at === 1 && name.includes('~')) await whileRead()
      return events.after(name, number)
    }
    const slow = new Proxy(events, {
      get(target, method) {
        const member: unknown = Reflect.get(target, method)
        if (method === 'after') return after
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    return { ...stores, events: slow }
  }
  await using all = await processes(make, { view })
  const session = await openSession(all.at(0), '2025-11-25')
  words.put('one')
  const atC = eventsOf(await stream(all.at(2), call, session))
  const { id } = await next(atC)
  whileRead = () => all.at(1).close()
  const refused = await resume(all.at(1), session, id)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  const atA = eventsOf(await resume(all.at(0), session, id))
  words.put('end')
  while (!('result' in (await next(atA)).message)) {}
})

test('cluster: a process that was taken for gone sends nothing more; where the client resumes, the outcome is unknown (rule 6)', async () => {
  const { make, words, said } = talking()
  const stores = memoryCluster()
  const { beat } = stores.presence
  let paused = ''
  const seen = new Set<string>()
  stores.presence.beat = async (self, leaseMs) => {
    if (self.epoch === paused) throw new Error('paused')
    seen.add(self.epoch)
    return beat.call(stores.presence, self, leaseMs)
  }
  await using all = await processes(make, { stores, leaseMs: 60 })
  const session = await openSession(all.at(0), '2025-11-25')
  words.put('one')
  const atC = eventsOf(await stream(all.at(2), call, session))
  const { id } = await next(atC)
  // the process is named in the id of the event
  paused = [...seen].find((epoch) => id.includes(`-${epoch}.`)) ?? assert.fail('no process has that stream')
  const atB = eventsOf(await resume(all.at(1), session, id))
  const { message } = await next(atB)
  assert.equal(message.id, 7)
  assert.match(message.error.message, /gone: the outcome is unknown/)
  assert.equal(await atB.take(), 'end')
  // the process wakes, and finishes its call
  paused = ''
  words.put('end')
  for (let word = await said.take(); word !== 'end'; word = await said.take());
  assert.equal(await atC.take(), 'end')
  assert.equal((await post(all.at(0), { jsonrpc: '2.0', id: 8, method: 'ping' }, session)).status, 200)
})

/** Stores that take no events of the third process while they are away; `onRefuse` is told of each. */
function unstoring(isAway: () => boolean, onRefuse = (): void => {}) {
  return (at: number, stores: ClusterStores): ClusterStores => {
    const events = new Proxy(stores.events, {
      get(target, method) {
        const member: unknown = Reflect.get(target, method)
        const refuse = async (): Promise<never> => {
          onRefuse()
          assert.fail('away')
        }
        if (at === 2 && isAway() && method === 'appendIf') return refuse
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    return { ...stores, events }
  }
}

for (const leaves of ['before', 'after'])
  test(`cluster: a question that cannot be stored fails when its client leaves ${leaves} it: the call is answered (rule 6)`, async () => {
    const go = new Mailbox<string>()
    const make = () =>
      server({ name: 'ask', ...quiet }).tool('talk', {}, async (_, ctx) => {
        await ctx.log('error', await go.take())
        await go.take()
        return ctx.elicit('Who are you?', z.object({ name: z.string() })).then(String, (error: Error) => error.message)
      })
    let isAway = false
    const refused = new Mailbox<void>()
    const view = unstoring(
      () => isAway,
      () => refused.put(),
    )
    await using all = await processes(make, { view, leaseMs: 600_000 })
    const session = await openSession(all.at(0), '2025-11-25', { elicitation: {} })
    const other = await openSession(all.at(2), '2025-11-25')
    go.put('begun')
    const client = new AbortController()
    const atC = eventsOf(await stream(all.at(2), call, session, client.signal))
    const { id } = await next(atC)
    const atA = eventsOf(await resume(all.at(0), session, id))
    isAway = true
    if (leaves === 'before') client.abort()
    go.put('ask')
    await refused.take()
    if (leaves === 'after') assert.equal((await next(atC)).message.method, 'elicitation/create')
    client.abort()
    isAway = false
    // tells the others, and so looks whether the store is back
    await all.at(2)(new Request('http://localhost/mcp', { method: 'DELETE', headers: other }))
    const { message } = await next(atA)
    assert.match(message.result.content[0].text, /^Cannot ask: the client is away/)
  })

test('cluster: an answer that cannot be stored in time is stored when the store is back, for a client that left (rule 6)', async () => {
  const { make, words } = talking()
  let isAway = false
  const view = unstoring(() => isAway)
  await using all = await processes(make, { view, leaseMs: 600_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  const other = await openSession(all.at(2), '2025-11-25')
  words.put('one')
  const atC = eventsOf(await stream(all.at(2), call, session))
  const { id } = await next(atC)
  const atA = eventsOf(await resume(all.at(0), session, id))
  isAway = true
  words.put('end')
  const unstored = await next(atC)
  assert.deepEqual([unstored.id, unstored.message.id], ['', 7])
  // until then the client comes again
  assert.equal(await eventsOf(await resume(all.at(2), session, id)).take(), 'end')
  isAway = false
  // tells the others, and so looks whether the store is back
  await all.at(2)(new Request('http://localhost/mcp', { method: 'DELETE', headers: other }))
  assert.equal((await next(atA)).message.result.content[0].text, 'the end')
  assert.equal(await atA.take(), 'end')
  const again = eventsOf(await resume(all.at(2), session, id))
  assert.equal((await next(again)).message.result.content[0].text, 'the end')
})

test('cluster: a stream that cannot be read, because the store is away, is refused with 503 and can be resumed later (rule 10)', async () => {
  const { make, words } = talking()
  const stores = memoryCluster()
  const { after } = stores.events
  let isAway = false
  stores.events.after = async (...given) => (isAway ? assert.fail('away') : after.apply(stores.events, given))
  await using all = await processes(make, { stores, leaseMs: 600_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  words.put('one')
  const { id } = await next(eventsOf(await stream(all.at(2), call, session)))
  isAway = true
  for (const at of [2, 0]) {
    const { status, headers } = await resume(all.at(at), session, id)
    assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  }
  isAway = false
  words.put('end')
  assert.equal((await next(eventsOf(await resume(all.at(2), session, id)))).message.result.content[0].text, 'the end')
})

test('cluster: a call whose process ends before the answer is answered where the client resumes: the outcome is unknown (rule 6)', async () => {
  const { make, words } = talking()
  await using all = await processes(make, { leaseMs: 600_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  const other = await openSession(all.at(0), '2025-11-25')
  words.put('one')
  const atC = eventsOf(await stream(all.at(2), call, session))
  const { id } = await next(atC)
  await all.at(2).close()
  assert.equal(await atC.take(), 'end')
  const atA = eventsOf(await resume(all.at(0), session, id))
  // tells the others, and so looks who lives
  await all.at(0)(new Request('http://localhost/mcp', { method: 'DELETE', headers: other }))
  const { message } = await next(atA)
  assert.equal(message.id, 7)
  assert.match(message.error.message, /gone: the outcome is unknown/)
  assert.equal(await atA.take(), 'end')
  words.put('end')
})

test('cluster: an event id of another session is refused', async () => {
  const { make, words } = talking()
  await using all = await processes(make)
  const [own, other] = [await openSession(all.at(0), '2025-11-25'), await openSession(all.at(0), '2025-11-25')]
  words.put('one')
  const events = eventsOf(await stream(all.at(2), call, own))
  const { id } = await next(events)
  assert.equal((await resume(all.at(1), other, id)).status, 400)
  words.put('end')
  await next(events)
})
