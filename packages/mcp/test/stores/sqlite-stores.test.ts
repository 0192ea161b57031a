import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { SqliteFile } from '../../src/stores/sqlite/sqlite-file.ts'
import { steps } from '../../src/stores/sqlite/sqlite-tables.ts'
import { type SqliteLimits, type SqliteOptions, sqliteStores, sqliteTasks } from '../../src/stores/sqlite/stores.ts'
import { storeFolder } from './sqlite-folder.ts'
import { storedTask } from './task-store-contract.ts'

/** Stores in a file of their own. */
function opened(limits: SqliteLimits = {}, options: SqliteOptions = {}) {
  const place = storeFolder()
  const stores = sqliteStores(place.path, { ...options, limits })
  return {
    ...place,
    stores,
    async [Symbol.asyncDispose]() {
      await stores.close()
      place[Symbol.dispose]()
    },
  }
}

const record = (alias: string) => ({ alias, messages: [] })

test('sqliteStores: everything is there the next time the file is opened', async () => {
  using place = storeFolder()
  {
    await using stores = sqliteStores(place.path)
    await stores.tasks.create(storedTask('a', { principal: 'ann' }), 10)
    await stores.tasks.write('a', { kind: 'effect', key: 'pay', value: { state: 'begun' } })
    stores.sessions.save('s', record('one'))
    stores.events.append('e', { number: 1, data: 'first' })
    await stores.effects.begin({ call: 'c', key: 'pay' }, Date.now() + 60_000)
    await stores.effects.done({ call: 'c', key: 'pay' }, { paid: 5 })
  }
  await using stores = sqliteStores(place.path)
  assert.equal((await stores.tasks.load('a'))?.principal, 'ann')
  assert.deepEqual(await stores.tasks.entries('a'), [{ kind: 'effect', key: 'pay', value: { state: 'begun' } }])
  assert.deepEqual(stores.sessions.load('s'), record('one'))
  assert.deepEqual(stores.events.after('e', 0), [{ number: 1, data: 'first' }])
  const known = await stores.effects.begin({ call: 'c', key: 'pay' }, Date.now() + 60_000)
  assert.deepEqual(known, { state: 'done', value: { paid: 5 } })
})

test('sqliteStores: a file of the first version opens with all that is in it, and its stores can be shared from then on', async () => {
  using place = storeFolder()
  const first = new SqliteFile(place.path, { maxBytes: 1e9, lockWaitMs: 0, steps: steps.slice(0, 1) })
  const later = Date.now() + 60_000
  for (const sql of [
    `INSERT INTO task VALUES (1, 'a', '"ann"', 5, 6, ${later}, 'working', NULL, '{"name":"a"}', NULL)`,
    `INSERT INTO task_entry VALUES (1, 1, 'effect', '"pay"', '{"state":"begun"}')`,
    `INSERT INTO session VALUES ('s', '{"alias":"one","messages":[]}', ${Date.now()})`,
    `INSERT INTO stream VALUES (1, 'e', 1, 1, 5, ${Date.now()})`,
    `INSERT INTO event VALUES (1, 1, 'first')`,
    `INSERT INTO effect VALUES ('c', '"pay"', 'begun', NULL, ${later})`,
  ])
    first.use(() => first.prepare(sql).run())
  await first.close()
  await using stores = sqliteStores(place.path)
  const { tasks, sessions, events, effects } = stores
  assert.deepEqual(await tasks.load('a'), {
    ...{ id: 'a', principal: 'ann', createdAt: 5, updatedAt: 6, expiresAt: later, status: 'working' },
    work: { name: 'a' },
  })
  assert.deepEqual(await tasks.entries('a'), [{ kind: 'effect', key: 'pay', value: { state: 'begun' } }])
  assert.equal((await tasks.claim('a', { owner: 'me', leaseMs: 60_000 }))?.fence, 1)
  assert.deepEqual(await sessions.read('s'), { record: record('one'), version: 1 })
  assert.deepEqual(await events.head('e'), { last: 1, isClosed: false })
  assert.equal(await events.appendNext('e', 'second'), 2)
  const attempt = { attempt: 'one', leaseMs: 60_000, expiresAt: later }
  assert.deepEqual(await effects.attempt({ call: 'c', key: 'pay' }, attempt), { state: 'unknown' })
})

test('SqliteEventStore: a stream with a writer keeps its head when its events make room for others', async () => {
  await using made = opened({ maxEventChars: 10 })
  const { events } = made.stores
  events.appendIf('a', { number: 1, data: '12345678' }, { writer: 'one' })
  events.append('b', { number: 1, data: '12345678' })
  assert.equal(events.after('a', 0), undefined)
  assert.deepEqual(events.head('a'), { last: 1, writer: 'one', isClosed: false })
  assert.equal(events.appendIf('a', { number: 2, data: 'x' }, { writer: 'one' }), undefined)
  assert.deepEqual(events.after('a', 1), [{ number: 2, data: 'x' }])
})

test('sqliteTasks: servers in one database find, change and resume their own tasks, and share the limit of a principal', async () => {
  using place = storeFolder()
  const file = new SqliteFile(place.path, { maxBytes: 1e9, lockWaitMs: 0, steps })
  const [one, two] = [sqliteTasks(file, 'one'), sqliteTasks(file, 'two')]
  const entry = { kind: 'effect', key: 'pay', value: { state: 'begun' } } as const
  assert.equal(await one.create(storedTask('a', { principal: 'ann' }), 2, [entry]), true)
  assert.equal(await two.create(storedTask('b', { principal: 'ann' }), 2), true)
  assert.equal(await two.create(storedTask('c', { principal: 'ann' }), 2), false)
  assert.equal((await one.load('a'))?.id, 'a')
  assert.equal(await two.load('a'), undefined)
  for (const found of [await two.list('ann', 10), await two.unfinished(10), await two.unowned(10)])
    assert.deepEqual(
      found.map(({ id }) => id),
      ['b'],
    )
  assert.equal(await two.update('a', { updatedAt: 1, status: 'cancelled' }), false)
  assert.equal(await two.write('a', { ...entry, value: { state: 'done' } }), false)
  assert.equal(await two.claim('a', { owner: 'me', leaseMs: 60_000 }), undefined)
  assert.deepEqual(await two.entries('a'), [])
  await two.drop('a')
  assert.equal((await one.load('a'))?.status, 'working')
  assert.deepEqual(await one.entries('a'), [entry])
  await file.close()
})

test('sqliteStores: only the owner can read the file and its log', async () => {
  await using made = opened()
  await made.stores.tasks.create(storedTask('a'), 10)
  for (const path of [made.path, `${made.path}-wal`]) assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('SqliteTaskStore: principals and keys that SQLite would take for one another are kept apart', async () => {
  await using made = opened()
  const { tasks } = made.stores
  const names = ['\ud800', '\ud801', '\ufffd', 'a', 'a\u0000', 'a\u0000b', '']
  for (const [at, principal] of names.entries()) await tasks.create(storedTask(`t${at}`, { principal }), 10)
  for (const [at, principal] of names.entries()) {
    const found = await tasks.list(principal, 10)
    assert.deepEqual(
      found.map(({ id, principal: whose }) => [id, whose]),
      [[`t${at}`, principal]],
    )
    await tasks.write('t0', { kind: 'answer', key: principal, value: { at } })
  }
  assert.deepEqual(
    (await tasks.entries('t0')).map(({ key }) => key),
    names,
  )
})

test('SqliteSessionStore: keeps the sessions that were used last, and gives back the latest record', async () => {
  await using made = opened({ maxSessions: 2 })
  const { sessions } = made.stores
  sessions.save('a', record('1'))
  await tick()
  sessions.save('b', record('2'))
  await tick()
  sessions.save('b', record('3'))
  await tick()
  assert.deepEqual(sessions.load('a'), record('1'))
  await tick()
  sessions.save('c', record('4'))
  assert.equal(sessions.load('b'), undefined)
  assert.deepEqual([sessions.load('a'), sessions.load('c')], [record('1'), record('4')])
  sessions.drop('a')
  assert.equal(sessions.load('a'), undefined)
})

test('SqliteEventStore: gives the rest of a stream, or nothing when a part of it is gone', async () => {
  await using made = opened({ maxEventsPerStream: 3 })
  const { events } = made.stores
  for (let number = 1; number <= 5; number++) events.append('a', { number, data: `é${number}` })
  assert.deepEqual(events.after('a', 3), [
    { number: 4, data: 'é4' },
    { number: 5, data: 'é5' },
  ])
  assert.equal(events.after('a', 1), undefined)
  assert.deepEqual(events.after('a', 5), [])
  assert.equal(events.after('a', 6), undefined)
  assert.equal(events.after('b', 0), undefined)
  events.drop('a')
  assert.equal(events.after('a', 5), undefined)
})

test('SqliteEventStore: counts characters as JavaScript does, of a stream and of all, and the streams that rest go first', async () => {
  await using made = opened({ maxEventCharsPerStream: 10, maxEventChars: 25 })
  const { events } = made.stores
  for (const [at, stream] of ['a', 'b'].entries()) {
    events.append(stream, { number: 1, data: '😀😀😀' })
    events.append(stream, { number: 2, data: '1234' })
    await tick()
    assert.equal((await events.after(stream, 0))?.length, 2, `stream ${at}`)
  }
  events.append('c', { number: 1, data: '1234567890' })
  assert.equal(events.after('a', 1), undefined)
  assert.equal((await events.after('b', 0))?.length, 2)
  events.append('c', { number: 2, data: 'x' })
  assert.deepEqual(events.after('c', 1), [{ number: 2, data: 'x' }])
  assert.equal(events.after('c', 0), undefined)
})

test('sqliteStores: an entry unused for longer than it is kept goes away', async () => {
  using place = storeFolder()
  {
    await using stores = sqliteStores(place.path)
    stores.sessions.save('s', record('one'))
    stores.events.append('e', { number: 1, data: 'first' })
    await stores.effects.begin({ call: 'c', key: 'pay' }, Date.now() - 1)
  }
  await tick()
  await using stores = sqliteStores(place.path, { limits: { maxSessionAgeMs: 1, maxEventAgeMs: 1 } })
  stores.sessions.save('t', record('two'))
  stores.events.append('f', { number: 1, data: 'first' })
  assert.equal(stores.sessions.load('s'), undefined)
  assert.equal(stores.events.after('e', 0), undefined)
  assert.equal(await stores.effects.begin({ call: 'c', key: 'pay' }, Date.now() + 60_000), undefined)
})

test('SqliteEffectStore: one of many beginnings counts, what failed may begin again, and calls do not share', async () => {
  await using made = opened()
  const { effects } = made.stores
  const soon = Date.now() + 60_000
  const pay = { call: 'c', key: 'pay' }
  const begun = await Promise.all(Array.from({ length: 5 }, () => effects.begin(pay, soon)))
  assert.equal(begun.filter((known) => known === undefined).length, 1)
  assert.deepEqual(await effects.begin(pay, soon), { state: 'begun' })
  assert.equal(await effects.begin({ call: 'd', key: 'pay' }, soon), undefined)
  await effects.undone(pay)
  assert.equal(await effects.begin(pay, soon), undefined)
  await effects.done(pay, undefined)
  assert.deepEqual(await effects.begin(pay, soon), { state: 'done', value: null })
})

test('sqliteStores: a closed one refuses, and closing twice is closing', async () => {
  using place = storeFolder()
  const stores = sqliteStores(place.path)
  const writing = stores.tasks.create(storedTask('a'), 10)
  await stores.close()
  assert.equal(await writing, true)
  await stores.close()
  const closed = { code: 'Closed', message: `Cannot use "${place.path}": the store is closed` }
  await assert.rejects(async () => stores.tasks.load('a'), closed)
  await assert.rejects(async () => stores.tasks.create(storedTask('b'), 10), closed)
})

// records of the same millisecond have no order
function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3))
}
