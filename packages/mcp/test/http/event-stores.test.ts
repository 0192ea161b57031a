import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { MemoryEventStore, type StoredEvent } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { faceAt, openSession } from '../threats/faces.ts'
import { sessionCall } from '../threats/messages.ts'
import { read, readSession } from '../threats/streams.ts'
import { HandStore, heard, talking } from './talking.ts'

const words = Array.from({ length: 1_001 }, (_, at) => `${at}`)

for (const how of ['as it was', 'as it is'] as const) {
  test(`Session.resume: messages that come while a store is asked follow its answer, ${how}`, async () => {
    const events = new HandStore()
    await using it = await talking({ events })
    await it.say('a', 'b')
    const resumed = readSession(it.url, it.session, it.first)
    const { answer } = await events.asked.take()
    await it.say('c', 'd')
    answer(how)
    using back = await resumed
    await it.say('e', 'end')
    assert.deepEqual(await heard(back, 6), ['a', 'b', 'c', 'd', 'e', 'end'])
    assert.equal(await back.whenOver, true)
    assert.equal(back.events.size, 0)
  })

  test(`Session.resume: an answer that comes while a store is asked ends the stream, ${how}`, async () => {
    const events = new HandStore()
    await using it = await talking({ events })
    const resumed = readSession(it.url, it.session, it.first)
    const { answer } = await events.asked.take()
    await it.say('a', 'end')
    answer(how)
    using back = await resumed
    assert.deepEqual(await heard(back, 2), ['a', 'end'])
    assert.equal(await back.whenOver, true)
  })
}

test('Session.resume: a store is asked only once it has what it was given', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  const { promise: isKept, open: keep } = gate()
  events.append = async (stream, event) => {
    await isKept
    events.keep(stream, event)
  }
  await it.say('a')
  const resumed = readSession(it.url, it.session, it.first)
  // the client it was is gone as soon as another has come
  await it.call.whenOver
  assert.equal(events.asked.size, 0)
  keep()
  const { answer } = await events.asked.take()
  answer('as it was')
  using back = await resumed
  assert.deepEqual(await heard(back, 1), ['a'])
})

test('Session.resume: a client that comes back twice is answered on the second response, and the first one ends', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  await it.say('a')
  const first = readSession(it.url, it.session, it.first)
  const early = await events.asked.take()
  const second = readSession(it.url, it.session, it.first)
  const late = await events.asked.take()
  early.answer('as it is')
  late.answer('as it is')
  using left = await first
  using back = await second
  assert.equal(await left.whenOver, true)
  assert.equal(left.events.size, 0)
  await it.say('end')
  assert.deepEqual(await heard(back, 2), ['a', 'end'])
})

test('Session.resume: up to 1 000 events wait while a store is asked', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  const resumed = readSession(it.url, it.session, it.first)
  const { answer } = await events.asked.take()
  await it.say(...words.slice(0, 1_000))
  answer('as it was')
  using back = await resumed
  assert.deepEqual(await heard(back, 1_000), words.slice(0, 1_000))
})

test('Session.resume: with 1 001 events while a store is asked the client has to come back once more', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  const resumed = readSession(it.url, it.session, it.first)
  const { answer } = await events.asked.take()
  await it.say(...words)
  using cut = await resumed
  assert.equal(await cut.whenOver, true)
  assert.equal(cut.events.size, 0)
  answer('as it was')
})

for (const [how, told] of [
  ['as it is', 'notifications/tools/list_changed'],
  // it starts anew, with an event that carries nothing but an id
  ['nothing', undefined],
] as const) {
  test(`Session.listen: events missed while no stream was open come first, if the store gives ${how}`, async () => {
    const events = new HandStore()
    await using it = await talking({ events })
    it.definition.tool('more', {}, () => '')
    const opened = readSession(it.url, it.session)
    const { answer } = await events.asked.take()
    answer(how)
    using stream = await opened
    assert.equal((await stream.events.take()).message?.method, told)
    it.definition.prompt('more', {}, () => '')
    assert.equal((await stream.events.take()).message.method, 'notifications/prompts/list_changed')
  })
}

for (const [what, append] of [
  ['rejects', () => Promise.reject(new Error('full'))],
  [
    'throws',
    () => {
      throw new Error('full')
    },
  ],
] as const) {
  test(`SessionStream: an event is sent although its store ${what}, and coming back for it is refused`, async () => {
    const events = new HandStore()
    await using it = await talking({ events })
    const { append: keep } = events
    events.append = append
    await it.say('a')
    events.append = keep
    await it.say('b')
    assert.deepEqual(await heard(it.call, 2), ['a', 'b'])
    assert.deepEqual(it.reported, ['Storing an event: full'])
    const resumed = readSession(it.url, it.session, it.first)
    const { answer } = await events.asked.take()
    answer('as it is')
    assert.equal((await resumed).status, 400)
    // the session has not suffered
    const { status } = await readSession(it.url, it.session)
    assert.equal(status, 200)
  })
}

test('SessionStream: of what a store does not get done 1 000 events are waited for', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  const { promise: never, open: finish } = gate()
  events.append = () => never
  await it.say(...words)
  assert.deepEqual(await heard(it.call, 1_001), words)
  assert.deepEqual(it.reported, ['Storing an event: The store is busy with 1000 events of one stream'])
  finish()
})

test('Session.resume: a store that fails is reported and not told, and the session goes on', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  await it.say('a')
  const resumed = readSession(it.url, it.session, it.first)
  const { answer } = await events.asked.take()
  answer(new Error('offline'))
  assert.equal((await resumed).status, 500)
  assert.deepEqual(it.reported, ['A request: offline'])
  const again = readSession(it.url, it.session, it.first)
  const later = await events.asked.take()
  later.answer('as it is')
  using back = await again
  assert.deepEqual(await heard(back, 1), ['a'])
})

for (const [where, lost] of [
  ['at the beginning', 1],
  ['in the middle', 2],
  ['at the end', 3],
] as const) {
  test(`Session.resume: a store that has lost an event ${where} is not believed`, async () => {
    class Forgetful extends MemoryEventStore {
      forgets = 0
      override after(stream: string, number: number): readonly StoredEvent[] | undefined {
        return super.after(stream, number)?.filter((_, at) => at + 1 !== this.forgets)
      }
    }
    const events = new Forgetful()
    await using it = await talking({ events })
    await it.say('a', 'b', 'c')
    events.forgets = lost
    const resumed = await readSession(it.url, it.session, it.first)
    assert.equal(resumed.status, 400)
    events.forgets = 0
    using back = await readSession(it.url, it.session, it.first)
    assert.deepEqual(await heard(back, 3), ['a', 'b', 'c'])
  })
}

test('SessionStreams: of requests that are answered, the last hundred streams can be come back to', async () => {
  class Counted extends MemoryEventStore {
    readonly streams = new Set<string>()
    override append(stream: string, event: StoredEvent): void {
      this.streams.add(stream)
      super.append(stream, event)
    }
    override drop(stream: string): void {
      this.streams.delete(stream)
      super.drop(stream)
    }
  }
  const events = new Counted()
  const definition = server({ name: 'telling', ...quiet }).tool('tell', {}, (_, ctx) => {
    ctx.log('error', 'told')
    return 'done'
  })
  await using listening = await serveHttp(definition, { sessions: { events } })
  const session = await openSession(faceAt(listening.url))
  const first: (string | undefined)[] = []
  for (let call = 0; call < 150; call++) {
    using stream = await read(listening.url, sessionCall(session, 'tell'))
    first.push((await stream.events.take()).id)
    assert.equal(await stream.whenOver, true)
  }
  assert.ok(events.streams.size >= 100 && events.streams.size <= 102, `${events.streams.size} are kept`)
  const resumed = async (at: number): Promise<number> => {
    using stream = await readSession(listening.url, session, first.at(at))
    return stream.status
  }
  assert.deepEqual([await resumed(0), await resumed(40), await resumed(-90), await resumed(-1)], [400, 400, 200, 200])
})

test('Session.resume: the number of an event counts only as it was written', async () => {
  await using it = await talking({})
  await it.say('a')
  const [, key, number] = /^(.+)\.([0-9]+)$/.exec(it.first ?? '') ?? []
  const other = [
    '',
    ' ',
    '0',
    '00',
    `0${number}`,
    `+${number}`,
    ` ${number}`,
    `0x${number}`,
    `${number}e0`,
    `${number}.0`,
  ]
  const unlikely = ['-1', 'NaN', 'Infinity', '9007199254740993', '1e400', '٢']
  for (const spelling of [...other, ...unlikely]) {
    const lastEventId = String.fromCharCode(...new TextEncoder().encode(`${key}.${spelling}`))
    assert.equal((await readSession(it.url, it.session, lastEventId)).status, 400, JSON.stringify(spelling))
  }
  for (const id of [`${key}`, `.${number}`, `${number}`, '.']) {
    assert.equal((await readSession(it.url, it.session, id)).status, 400, id)
  }
  using back = await readSession(it.url, it.session, it.first)
  assert.deepEqual(await heard(back, 1), ['a'])
})

test('Session.end: a store that does not forget is reported', async () => {
  const events = new HandStore()
  await using it = await talking({ events })
  events.drop = () => Promise.reject(new Error('offline'))
  assert.equal((await fetch(it.url, { method: 'DELETE', headers: it.session })).status, 200)
  assert.deepEqual(it.reported, ['Deleting a stream: offline'])
})
