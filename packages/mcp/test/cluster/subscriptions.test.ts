/** Changes in a cluster: each reaches a client once, wherever it happens, wherever the client listens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { type ClusterStores, type FetchHandler, memoryCluster } from '@trunkline/mcp/http'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { openSession, post } from '../http/raw.ts'
import { Mailbox } from '../mailbox.ts'
import { turnsUntil } from '../soon.ts'
import { type Event, eventsOf, processes } from './processes.ts'

const asked = (method: string, params: object) => ({ jsonrpc: '2.0', id: method, method, params })
const subscribe = (uri: string) => asked('resources/subscribe', { uri })

const news = () =>
  server({ name: 'news', ...quiet })
    .resource('test:a', {}, () => 'a')
    .resource('test:b', {}, () => 'b')
    .resource('test:end', {}, () => 'end')

/** Opens the stream of a session; `end` closes it. */
async function listen(handler: FetchHandler, session: Record<string, string>, after?: string) {
  const leaving = new AbortController()
  const headers = { accept: 'text/event-stream', ...session, ...(after !== undefined && { 'last-event-id': after }) }
  const response = await handler(new Request('http://localhost/mcp', { headers, signal: leaving.signal }))
  const events = eventsOf(response)
  return {
    status: response.status,
    /** The resources that were announced up to the one that is the last. */
    async upTo(last: string): Promise<readonly Event[]> {
      const seen: Event[] = []
      for (;;) {
        const event = await events.take()
        if (event === 'end') assert.fail(`The stream ended after ${JSON.stringify(seen)}`)
        seen.push(event)
        if (event.message.params?.uri === last || event.message.params?.data === last) return seen
      }
    },
    events,
    close: () => leaving.abort(),
    [Symbol.dispose]: () => leaving.abort(),
  }
}

const uris = (events: readonly Event[]) => events.map(({ message }) => message.params?.uri ?? message.method)

for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
  test(`cluster: in ${revision}, listening at B, subscribed at A, an update at C arrives once (rule 3)`, async () => {
    await using all = await processes(news)
    const session = await openSession(all.at(0), revision)
    using atB = await listen(all.at(1), session)
    for (const uri of ['test:a', 'test:end']) await post(all.at(0), subscribe(uri), session)
    // the others have the session too, and hear of the change
    for (const at of [0, 2]) assert.equal((await post(all.at(at), asked('ping', {}), session)).status, 200)
    all.servers[2]?.resources.updated('test:a')
    all.servers[2]?.resources.updated('test:b')
    all.servers[2]?.resources.updated('test:end')
    assert.deepEqual(uris(await atB.upTo('test:end')), ['test:a', 'test:end'])
  })
}

test('cluster: a subscription at A that comes while a stream is opened at B is heard of there (rule 3)', async () => {
  const [reading, subscribed] = [gate(), gate()]
  // B has read the session, and the answer is on its way
  const slow = (at: number, stores: ClusterStores): ClusterStores => {
    if (at !== 1) return stores
    const sessions = Object.create(stores.sessions) as ClusterStores['sessions']
    let isFirst = true
    sessions.read = async (id) => {
      const read = await stores.sessions.read(id)
      reading.open()
      if (isFirst) await subscribed.promise
      isFirst = false
      return read
    }
    sessions.version = (id) => stores.sessions.version(id)
    return { ...stores, sessions }
  }
  await using all = await processes(news, { view: slow })
  const session = await openSession(all.at(0), '2025-11-25')
  const opening = listen(all.at(1), session)
  await reading.promise
  await post(all.at(0), subscribe('test:end'), session)
  subscribed.open()
  using atB = await opening
  all.servers[2]?.resources.updated('test:end')
  assert.deepEqual(uris(await atB.upTo('test:end')), ['test:end'])
})

test('cluster: an update while no stream is open is sent once, on the next one (rule 3)', async () => {
  await using all = await processes(news)
  const session = await openSession(all.at(0), '2025-11-25')
  for (const uri of ['test:a', 'test:end']) await post(all.at(0), subscribe(uri), session)
  all.servers[2]?.resources.updated('test:a')
  const first = await listen(all.at(1), session)
  assert.deepEqual(uris(await first.upTo('test:a')), ['test:a'])
  first.close()
  using second = await listen(all.at(2), session)
  all.servers[1]?.resources.updated('test:end')
  assert.deepEqual(uris(await second.upTo('test:end')), ['test:end'])
})

test('cluster: with streams at two processes, each message is sent on one of them (rule 3)', async () => {
  await using all = await processes(news)
  const session = await openSession(all.at(0), '2025-11-25')
  for (const uri of ['test:a', 'test:end']) await post(all.at(0), subscribe(uri), session)
  using early = await listen(all.at(1), session)
  using late = await listen(all.at(2), session)
  all.servers[0]?.resources.updated('test:a')
  all.servers[0]?.resources.updated('test:end')
  assert.deepEqual(uris(await late.upTo('test:end')), ['test:a', 'test:end'])
  assert.equal(early.events.size, 0)
})

test('cluster: a stream is resumed at another process after the event that was seen last (rule 3)', async () => {
  await using all = await processes(news)
  const session = await openSession(all.at(0), '2025-11-25')
  for (const uri of ['test:a', 'test:b', 'test:end']) await post(all.at(0), subscribe(uri), session)
  using atB = await listen(all.at(1), session)
  for (const uri of ['test:a', 'test:b']) all.servers[0]?.resources.updated(uri)
  const [seen] = await atB.upTo('test:b')
  atB.close()
  all.servers[2]?.resources.updated('test:end')
  using atC = await listen(all.at(2), session, seen?.id)
  assert.deepEqual(uris(await atC.upTo('test:end')), ['test:b', 'test:end'])
  assert.equal((await listen(all.at(0), session, 'of-another-out.1')).status, 400)
})

test('cluster: list changes at one process are heard at the others, in sessions and in listens (rule 3)', async () => {
  await using all = await processes(() => news().tool('first', {}, () => ''))
  for (const revision of ['2026-07-28', '2025-11-25']) {
    await using mcp = await all.connect({ revisions: [revision] })
    const heard = new Mailbox<string>()
    await using _ = await mcp.watch({ tools: true, uris: ['test:a'] }, ({ kind }) => heard.put(kind))
    for (const each of all.servers) {
      each.tools.disable('first')
      assert.equal(await heard.take(), 'tools')
      each.tools.enable('first')
      assert.equal(await heard.take(), 'tools')
      each.resources.updated('test:a')
      assert.equal(await heard.take(), 'resource')
    }
  }
})

test('cluster: a change that a new stream found in the log is not sent again when its process hears of it (rule 3)', async () => {
  const rings = new Set<(name?: string) => void>()
  const bell = { ring() {}, listen: (onRing: (name?: string) => void) => rings.add(onRing) && (() => {}) }
  await using all = await processes(news, { stores: { ...memoryCluster(), bell }, pollMs: 3_600_000 })
  const session = await openSession(all.at(0), '2025-11-25')
  for (const uri of ['test:a', 'test:end']) await post(all.at(0), subscribe(uri), session)
  for (const at of [1, 2]) assert.equal((await post(all.at(at), asked('ping', {}), session)).status, 200)
  all.servers[2]?.resources.updated('test:a')
  using atB = await listen(all.at(1), session)
  assert.deepEqual(uris(await atB.upTo('test:a')), ['test:a'])
  // only now B reads the log itself
  for (const ring of rings) ring()
  all.servers[1]?.resources.updated('test:end')
  assert.deepEqual(uris(await atB.upTo('test:end')), ['test:end'])
})

test('cluster: changes that no bell announces arrive late, but arrive (rule 1)', async () => {
  const stores = { ...memoryCluster(), bell: { ring() {}, listen: () => () => {} } }
  await using all = await processes(news, { stores, pollMs: 5 })
  const session = await openSession(all.at(0), '2025-11-25')
  await post(all.at(0), subscribe('test:a'), session)
  using atB = await listen(all.at(1), session)
  all.servers[2]?.resources.updated('test:a')
  assert.deepEqual(uris(await atB.upTo('test:a')), ['test:a'])
})

test('cluster: after changes were lost, everything that is watched is announced once (rules 2 and 3)', async () => {
  const stores = memoryCluster()
  const { beat } = stores.presence
  let generation = 'first'
  stores.presence.beat = async (...given) => ({ ...(await beat.apply(stores.presence, given)), generation })
  await using all = await processes(news, { stores, leaseMs: 60 })
  const session = await openSession(all.at(0), '2025-11-25')
  for (const uri of ['test:a', 'test:end']) await post(all.at(0), subscribe(uri), session)
  using atB = await listen(all.at(1), session)
  all.servers[2]?.resources.updated('test:a')
  const [seen] = await atB.upTo('test:a')
  generation = 'second'
  assert.equal(await atB.events.take(), 'end')
  // each process learns it with its next beat
  await turnsUntil(async () => {
    using old = await listen(all.at(2), session, seen?.id)
    return old.status === 400
  }, 'a gap to be announced')
  using anew = await listen(all.at(2), session)
  const lists = ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`)
  const announced = uris(await anew.upTo('test:end'))
  assert.deepEqual(
    announced.toSorted(),
    [...lists.filter((list) => announced.includes(list)), 'test:a', 'test:end'].toSorted(),
  )
})
